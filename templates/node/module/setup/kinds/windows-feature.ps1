# windowsFeature: an installed Windows feature.

$script:StepKind['windowsFeature'] = @{ Noun = 'NodeWindowsFeature'; Subject = 'name'; Reset = 'restore' }

function Get-NodeFeatureState {
    # Installed, InstallPending, Available or Removed. Hyper-V that dism installed without its hypervisor counts as
    # installed: it has the virtual switch. Server Manager may report it as missing, because it includes the
    # hypervisor.
    # https://github.com/antrea-io/antrea/blob/main/test/integration/agent/net_windows_test.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $feature = Get-WindowsFeature -Name $Step['name']
    if ($null -eq $feature) { throw "Windows feature $($Step['name']) not found" }
    $state = "$($feature.InstallState)"
    if ($Step['name'] -ne 'Hyper-V' -or $state -in 'Installed', 'InstallPending') { return $state }
    $core = "$((Get-WindowsOptionalFeature -Online -FeatureName 'Microsoft-Hyper-V').State)"
    if ($core -eq 'Enabled') { return 'Installed' }
    if ($core -eq 'EnablePending') { return 'InstallPending' }
    $state
}

function Test-NodeWindowsFeature {
    # True if the feature is installed; a pending installation is not enough.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $state = Get-NodeFeatureState -Step $Step
    if ($state -ne 'Installed') { Write-NodeDetail -Text "the feature is $state" }
    $state -eq 'Installed'
}

$script:EnableHyperV = 'dism /online /enable-feature /featurename:Microsoft-Hyper-V /all /NoRestart'
$script:DisableHypervisor = 'dism /online /disable-feature /featurename:Microsoft-Hyper-V-Online /NoRestart'

function Set-NodeWindowsFeature {
    # Installs the feature; true if it needs a restart.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'install feature')) { return $false }
    if ((Get-NodeFeatureState -Step $Step) -eq 'InstallPending') { return $true }
    try {
        $answer = Install-WindowsFeature -Name $Step['name']
        if (-not $answer.Success) { throw "$($Step['name']) was not installed: $($answer.ExitCode)" }
    } catch {
        if ($Step['name'] -notlike 'Hyper-V*') { throw }
        # It fails on a virtual machine without nested virtualization; dism does not check that.
        # https://github.com/antrea-io/antrea/blob/main/docs/windows.md
        throw ('{0}. Without nested virtualization on this machine: run {1}, then {2}, restart, and rerun' -f
            $_.Exception.Message.TrimEnd('.'), $script:EnableHyperV, $script:DisableHypervisor)
    }
    "$($answer.RestartNeeded)" -ne 'No'
}

function Backup-NodeWindowsFeature {
    # The previous state.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ state = Get-NodeFeatureState -Step $Step }
}

function Restore-NodeWindowsFeature {
    # Removes the feature only on request: other programs may use it by now.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $script:Run.RemoveFeature -or $Before['state'] -eq 'Installed') {
        Write-NodeDetail -Text 'kept: the feature remains installed'
        return $false
    }
    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'remove feature')) { return $false }
    $answer = Uninstall-WindowsFeature -Name $Step['name']
    "$($answer.RestartNeeded)" -ne 'No'
}
