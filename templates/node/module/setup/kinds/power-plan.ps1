# powerPlan: the active power plan.

$script:StepKind['powerPlan'] = @{ Noun = 'NodePowerPlan'; Subject = 'guid'; Key = @(); Reset = 'restore' }

function Get-NodePowerPlan {
    # The active power plan, from the registry: powercfg.exe prints it in the machine's language.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $key = 'HKLM:\SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes'
    "$(Get-NodeRegistryData -Key $key -Name 'ActivePowerScheme')"
}

function Test-NodePowerPlan {
    # True if the power plan is active.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodePowerPlan
    if ($found -ne $Step['guid']) { Write-NodeDetail -Text "the plan is $found, expected $($Step['guid'])" }
    $found -eq $Step['guid']
}

function Set-NodePowerPlan {
    # Activates the power plan.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['guid'], 'set power plan')) {
        $null = Invoke-Native -FilePath 'powercfg.exe' -ArgumentList '/setactive', $Step['guid']
    }
}

function Backup-NodePowerPlan {
    # The previous power plan.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    [ordered]@{ guid = Get-NodePowerPlan }
}

function Restore-NodePowerPlan {
    # Activates the previous power plan.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($Before['guid'] -ne '' -and $PSCmdlet.ShouldProcess($Step['guid'], 'restore power plan')) {
        $null = Invoke-Native -FilePath 'powercfg.exe' -ArgumentList '/setactive', $Before['guid']
    }
}
