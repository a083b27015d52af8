# serviceStart: the start type of a service, automatic or on demand.

$script:StepKind['serviceStart'] = @{ Noun = 'NodeServiceStart'; Subject = 'name'; Reset = 'restore' }

function Test-NodeServiceStart {
    # True if the service has the expected start type.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeRegistryData -Key "$script:Services\$($Step['name'])" -Name 'Start'
    $wanted = if ($Step['start'] -ceq 'auto') { 2 } else { 3 }
    if ($found -ne $wanted) { Write-NodeDetail -Text "Start is $found, expected $wanted" }
    $found -eq $wanted
}

function Set-NodeServiceStart {
    # Changes the start type.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['name'], "start $($Step['start'])")) {
        $mode = if ($Step['start'] -ceq 'auto') { 'Automatic' } else { 'Manual' }
        Edit-NodeServiceControl -Name $Step['name'] -Change @{ StartMode = $mode }
    }
}

function Backup-NodeServiceStart {
    # The previous start type.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ start = Get-NodeRegistryData -Key "$script:Services\$($Step['name'])" -Name 'Start' }
}

function Restore-NodeServiceStart {
    # Restores the previous start type, if the service still exists.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not (Test-Path -LiteralPath "$script:Services\$($Step['name'])")) { return }
    if ($PSCmdlet.ShouldProcess($Step['name'], 'restore start type')) {
        Edit-NodeServiceControl -Name $Step['name'] -Change @{
            StartMode = ConvertTo-NodeStartMode -Start $Before['start']
        }
    }
}
