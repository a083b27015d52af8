# What the registry must say of a service.

$script:Services = 'HKLM:\SYSTEM\CurrentControlSet\Services'

function ConvertTo-NodeCommandLine {
    # One line of a program and its arguments, quoted as programs take it apart; a path with a space and no
    # quotes would let another program run (CVE-2024-8975).
    # https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [AllowEmptyString()] [string[]] $Argument)

    $quoted = foreach ($text in $Argument) {
        if ($text -ne '' -and $text -notmatch '[\s"]') { $text; continue }
        # Backslashes are doubled before a quote, and only there.
        $inner = [regex]::Replace($text, '(\\*)"', '$1$1\"')
        '"{0}"' -f [regex]::Replace($inner, '(\\+)$', '$1$1')
    }
    $quoted -join ' '
}

function Get-NodeServiceWish {
    # What the registry must say of a service: name of the value, below Services\NAME, to its data.
    # nssm reads the program it runs from Parameters; texts of type String are taken as they are.
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
        # nssm keeps the upper half of a size beside it; we need none above 2 GiB.
        $wish['Parameters\AppRotateBytes'] = [int][math]::Min([long]$log['maxSizeMiB'] * 1MB, [int]::MaxValue)
    }
    $wish
}

function Get-NodeServiceStart {
    # How a service starts: 2 with Windows, 3 on demand. Once the machine has joined, the step that says so
    # for a joined machine counts.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $start = $Step['start']
    if ($script:Run.State['joined']) {
        foreach ($other in $script:Run.Document['steps']) {
            $same = $other['kind'] -ceq 'serviceStart' -and $other['name'] -ceq $Step['name']
            if ($same) { $start = $other['start'] }
        }
    }
    if ($start -ceq 'auto') { 2 } else { 3 }
}
