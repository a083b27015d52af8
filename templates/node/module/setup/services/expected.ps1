# Computes the expected registry values of services.

function ConvertTo-NodeCommandLine {
    # A command line from a program and its arguments, quoted as Windows programs parse it. Without quotes around a
    # path with a space, another program could be started (CVE-2024-8975).
    # https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [AllowEmptyString()] [string[]] $Argument)

    $quoted = foreach ($text in $Argument) {
        if ($text -ne '' -and $text -notmatch '[\s"]') { $text; continue }
        # Backslashes are doubled only before a quote.
        $inner = [regex]::Replace($text, '(\\*)"', '$1$1\"')
        '"{0}"' -f [regex]::Replace($inner, '(\\+)$', '$1$1')
    }
    $quoted -join ' '
}

function Get-NodeExpectedService {
    # The expected registry values of a service: name below Services\NAME, and data. nssm reads the program from
    # Parameters, and does not expand values of type String.
    # https://nssm.cc/usage
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $command = @(foreach ($part in $Step['command']) { Resolve-NodeArgument -Argument @($part) })
    $wish = [ordered]@{
        DisplayName     = $Step['displayName']
        Description     = $Step['description']
        Start           = Get-NodeServiceStart -Step $Step
        DependOnService = @($Step['dependsOn'])
        Environment     = @(foreach ($entry in $Step['environment']) {
                '{0}={1}' -f $entry['name'], (Resolve-NodeArgument -Argument @($entry['value']))
            })
    }
    if ($Step['scm'] -cne 'wrapped') {
        $wish['ImagePath'] = ConvertTo-NodeCommandLine -Argument $command
        return $wish
    }
    $wish['ImagePath'] = ConvertTo-NodeCommandLine -Argument $Step['wrapper']
    $wish['Parameters\Application'] = $command[0]
    $wish['Parameters\AppDirectory'] = Get-NodeParent -LiteralPath $command[0]
    $wish['Parameters\AppParameters'] = ConvertTo-NodeCommandLine -Argument @($command | Select-Object -Skip 1)
    foreach ($delay in @($Step['restartDelays'] | Select-Object -First 1)) {
        $wish['Parameters\AppRestartDelay'] = [int]$delay
    }
    $log = $Step['log']
    if ($null -ne $log) {
        $wish['Parameters\AppStdout'] = $log['path']
        $wish['Parameters\AppStderr'] = $log['path']
        $wish['Parameters\AppRotateFiles'] = 1
        $wish['Parameters\AppRotateOnline'] = 1
        # nssm stores the upper half of a size in a second value; sizes above 2 GiB are not needed.
        $wish['Parameters\AppRotateBytes'] = [int][math]::Min([long]$log['maxSizeMiB'] * 1MB, [int]::MaxValue)
    }
    $wish
}

function Get-NodeServiceStart {
    # The start type of a service: 2 is automatic, 3 is on demand. On a node that has joined, the step with the
    # start type for joined nodes applies.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $start = $Step['start']
    if ($script:Run.State['joined']) {
        foreach ($other in Get-NodeKindStep -Kind serviceStart -Name $Step['name']) { $start = $other['start'] }
    }
    if ($start -ceq 'auto') { 2 } else { 3 }
}
