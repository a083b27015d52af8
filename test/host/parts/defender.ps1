# Defender's settings; its commands exist only with the feature.

function HostGet-MpPreference {
    [CmdletBinding()]
    param()

    if (-not (Assert-HostFunction -On 'Get-MpPreference' -Bound $PSBoundParameters)) { return }
    $list = [string[]]$script:Machine.Exclusions
    if ($list.Count -eq 0 -and (Get-HostSwitch -Name 'NothingIsNull')) { $list = $null }
    $folders = [string[]]$script:Machine.ExcludedFolders
    if ($folders.Count -eq 0 -and (Get-HostSwitch -Name 'NothingIsNull')) { $folders = $null }
    [pscustomobject]@{ DisableRealtimeMonitoring = $false; ExclusionProcess = $list; ExclusionPath = $folders; ExclusionExtension = $null }
}

function HostAdd-MpPreference {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string[]] $ExclusionProcess, [string[]] $ExclusionPath)

    Add-HostCall -Text "Add-MpPreference $(@($ExclusionProcess) + @($ExclusionPath))"
    if (-not (Assert-HostFunction -On 'Add-MpPreference' -Bound $PSBoundParameters)) { return }
    $script:Machine.Exclusions = @($script:Machine.Exclusions + $ExclusionProcess | Where-Object -FilterScript { $_ } | Select-Object -Unique)
    $script:Machine.ExcludedFolders = @($script:Machine.ExcludedFolders + $ExclusionPath | Where-Object -FilterScript { $_ } | Select-Object -Unique)
}

function HostRemove-MpPreference {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string[]] $ExclusionProcess, [string[]] $ExclusionPath)

    Add-HostCall -Text "Remove-MpPreference $(@($ExclusionProcess) + @($ExclusionPath))"
    $script:Machine.Exclusions = @($script:Machine.Exclusions | Where-Object -FilterScript { $_ -notin $ExclusionProcess })
    $script:Machine.ExcludedFolders = @($script:Machine.ExcludedFolders | Where-Object -FilterScript { $_ -notin $ExclusionPath })
}
