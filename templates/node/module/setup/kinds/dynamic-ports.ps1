# dynamicPorts: the range of dynamic TCP ports.

$script:StepKind['dynamicPorts'] = @{ Noun = 'NodeDynamicPort'; Subject = 'ports'; Key = @(); Reset = 'restore' }

function Test-NodeDynamicPort {
    # True if Windows uses this range.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeDynamicPort
    $text = '{0}-{1}' -f $found['From'], $found['To']
    if ($text -ne $Step['ports']) { Write-NodeDetail -Text "is $text, expected $($Step['ports'])" }
    $text -eq $Step['ports']
}

function Edit-NodeDynamicPort {
    # Sets the range.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Ports)

    $range = ConvertFrom-NodePortRange -Ports $Ports
    $count = $range['To'] - $range['From'] + 1
    $null = Invoke-Native -FilePath 'netsh.exe' -ArgumentList @(
        'interface', 'ipv4', 'set', 'dynamicportrange', 'protocol=tcp',
        "startport=$($range['From'])", "numberofports=$count", 'store=persistent')
}

function Set-NodeDynamicPort {
    # Sets the range; connections keep their ports.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['ports'], 'set dynamic TCP ports')) {
        Edit-NodeDynamicPort -Ports $Step['ports']
    }
}

function Backup-NodeDynamicPort {
    # The previous range.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    $found = Get-NodeDynamicPort
    [ordered]@{ ports = '{0}-{1}' -f $found['From'], $found['To'] }
}

function Restore-NodeDynamicPort {
    # Sets the previous range.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($PSCmdlet.ShouldProcess($Step['ports'], 'restore dynamic TCP ports')) {
        Edit-NodeDynamicPort -Ports $Before['ports']
    }
}
