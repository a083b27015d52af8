# Defender's settings; its commands exist only with the feature.

function HostGet-MpPreference {
    [CmdletBinding()]
    param()

    if (-not (Assert-HostFunction -On 'Get-MpPreference' -Bound $PSBoundParameters)) { return }
    $list = [string[]]$script:Machine.Exclusions
    if ($list.Count -eq 0 -and (Get-HostSwitch -Name 'NothingIsNull')) { $list = $null }
    [pscustomobject]@{ DisableRealtimeMonitoring = $false; ExclusionProcess = $list; ExclusionPath = $null; ExclusionExtension = $null }
}

function HostAdd-MpPreference {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string[]] $ExclusionProcess)

    Add-HostCall -Text "Add-MpPreference $ExclusionProcess"
    if (-not (Assert-HostFunction -On 'Add-MpPreference' -Bound $PSBoundParameters)) { return }
    $script:Machine.Exclusions = @($script:Machine.Exclusions + $ExclusionProcess | Select-Object -Unique)
}

function HostRemove-MpPreference {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string[]] $ExclusionProcess)

    Add-HostCall -Text "Remove-MpPreference $ExclusionProcess"
    $script:Machine.Exclusions = @($script:Machine.Exclusions | Where-Object -FilterScript { $_ -notin $ExclusionProcess })
}
