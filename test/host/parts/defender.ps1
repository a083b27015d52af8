# Defender's settings; its commands exist only with the feature.

function HostGet-MpPreference {
    [CmdletBinding()]
    param()

    if (-not (Assert-HostFunction -On 'Get-MpPreference' -Bound $PSBoundParameters)) { return }
    $list = [string[]]$script:Machine.Exclusions
    if ($list.Count -eq 0 -and (Get-HostSwitch -Name 'NothingIsNull')) { $list = $null }
    $folders = [string[]]$script:Machine.ExcludedFolders
    if ($folders.Count -eq 0 -and (Get-HostSwitch -Name 'NothingIsNull')) { $folders = $null }
    # https://github.com/HotCakeX/Harden-Windows-Security/issues/151
    if ($script:Machine.ExclusionPolicy -eq 'hides') { $list = $folders = [string[]]@('N/A: Administrators are not allowed to view exclusions') }
    [pscustomobject]@{ DisableRealtimeMonitoring = $false; ExclusionProcess = $list; ExclusionPath = $folders; ExclusionExtension = $null }
}

function HostAdd-MpPreference {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string[]] $ExclusionProcess, [string[]] $ExclusionPath)

    Add-HostCall -Text "Add-MpPreference $(@($ExclusionProcess) + @($ExclusionPath))"
    if (-not (Assert-HostFunction -On 'Add-MpPreference' -Bound $PSBoundParameters)) { return }
    # Only a policy's exclusions count, and no error says so (DisableLocalAdminMerge).
    # https://blog.nviso.eu/2022/12/02/can-we-block-the-addition-of-local-microsoft-defender-antivirus-exclusions/
    if ($script:Machine.ExclusionPolicy -eq 'ignores') { return }
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
