# windowsFeature: a feature of Windows is installed.

$script:StepKind['windowsFeature'] = @{ Noun = 'NodeWindowsFeature'; Subject = 'name'; Reset = 'restore' }

function Get-NodeFeatureState {
    # Installed, InstallPending, Available or Removed. Hyper-V that dism brought without its hypervisor counts:
    # it has the virtual switch, and Server Manager, for which the hypervisor is a part of it, may not call it so.
    # https://github.com/antrea-io/antrea/blob/main/test/integration/agent/net_windows_test.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $feature = Get-WindowsFeature -Name $Step['name']
    if ($null -eq $feature) { throw "Windows has no feature $($Step['name'])" }
    $state = "$($feature.InstallState)"
    if ($Step['name'] -ne 'Hyper-V' -or $state -in 'Installed', 'InstallPending') { return $state }
    $core = "$((Get-WindowsOptionalFeature -Online -FeatureName 'Microsoft-Hyper-V').State)"
    if ($core -eq 'Enabled') { return 'Installed' }
    if ($core -eq 'EnablePending') { return 'InstallPending' }
    $state
}

function Test-NodeWindowsFeature {
    # True when the feature is installed; one that waits for a restart is not.
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
    # Installs the feature; true when it works only after a restart.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'install feature')) { return $false }
    if ((Get-NodeFeatureState -Step $Step) -eq 'InstallPending') { return $true }
    try {
        $answer = Install-WindowsFeature -Name $Step['name']
        if (-not $answer.Success) { throw "Windows did not install $($Step['name']): $($answer.ExitCode)" }
    } catch {
        $problem = $_
        if ($Step['name'] -notlike 'Hyper-V*') { throw }
        # On a virtual machine without nested virtualization it refuses; dism does not ask.
        # https://github.com/antrea-io/antrea/blob/main/docs/windows.md
        throw ('{0}. Where this machine has no nested virtualization: {1}, then {2}, a restart, and this again' -f
            $problem.Exception.Message.TrimEnd('.'), $script:EnableHyperV, $script:DisableHypervisor)
    }
    "$($answer.RestartNeeded)" -ne 'No'
}

function Backup-NodeWindowsFeature {
    # The state before.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ state = Get-NodeFeatureState -Step $Step }
}

function Restore-NodeWindowsFeature {
    # Takes the feature away only where the caller asked for that: others may have come to use it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $script:Run.RemoveFeature -or $Before['state'] -eq 'Installed') {
        Write-NodeDetail -Text 'kept: the feature stays'
        return $false
    }
    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'remove feature')) { return $false }
    $answer = Uninstall-WindowsFeature -Name $Step['name']
    "$($answer.RestartNeeded)" -ne 'No'
}
