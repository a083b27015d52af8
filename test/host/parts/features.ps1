# Windows features: some need a restart before they count, and commands come with them.

function Get-WindowsFeature {
    # Nothing, and no error, where there is no such feature.
    [CmdletBinding()]
    param([Parameter(Position = 0)] [string[]] $Name)

    foreach ($one in $Name) {
        $state = $script:Machine.Features[$one]
        if ($null -eq $state) { continue }
        if ($one -eq 'Hyper-V' -and $script:Machine.SeesParts -and $script:Machine.Parts['Microsoft-Hyper-V'] -eq 'Enabled') { $state = 'Installed' }
        [pscustomobject]@{ Name = $one; InstallState = $state; Installed = $state -eq 'Installed' }
    }
}

function Install-WindowsFeature {
    # Containers and Hyper-V count after a restart; until then servicing says that one is pending.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Position = 0)] [string] $Name)

    Add-HostCall -Text "Install-WindowsFeature $Name"
    Assert-HostHealth -On 'Install-WindowsFeature'
    if ($Name -eq 'Hyper-V' -and -not $script:Machine.Virtualises) {
        Write-Error -Message 'A prerequisite check for the Hyper-V feature failed.
1. Hyper-V cannot be installed: The processor does not have required virtualization capabilities.'
        return [pscustomobject]@{ Success = $false; RestartNeeded = 'Maybe'; ExitCode = 'Failed' }
    }
    $state = $script:Machine.Features[$Name]
    if ($state -in 'Installed', 'InstallPending') {
        $needed = if ($state -eq 'Installed') { 'No' } else { 'Yes' }
        return [pscustomobject]@{ Success = $true; RestartNeeded = $needed; ExitCode = 'NoChangeNeeded' }
    }
    if ($Name.EndsWith('-PowerShell')) {
        $script:Machine.Features[$Name] = 'Installed'
        return [pscustomobject]@{ Success = $true; RestartNeeded = 'No'; ExitCode = 'Success' }
    }
    $script:Machine.Features[$Name] = 'InstallPending'
    $null = [WinNodeHost.Registry]::Create('SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending')
    [pscustomobject]@{ Success = $true; RestartNeeded = 'Yes'; ExitCode = 'SuccessRestartRequired' }
}

function Uninstall-WindowsFeature {
    # Goes with a restart, too.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Position = 0)] [string] $Name)

    Add-HostCall -Text "Uninstall-WindowsFeature $Name"
    $pending = $script:Machine.Features[$Name] -eq 'InstallPending'
    $script:Machine.Features[$Name] = if ($pending) { 'Available' } else { 'UninstallPending' }
    $null = [WinNodeHost.Registry]::Create('SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending')
    [pscustomobject]@{ Success = $true; RestartNeeded = 'Yes'; ExitCode = 'SuccessRestartRequired' }
}

function Get-WindowsOptionalFeature {
    # Parts of Windows as dism knows them.
    [CmdletBinding()]
    param([switch] $Online, [string] $FeatureName)

    if (-not $Online) { throw 'Parameter set cannot be resolved using the specified named parameters.' }
    $state = $script:Machine.Parts[$FeatureName]
    if ($null -ne $state) { [pscustomobject]@{ FeatureName = $FeatureName; State = $state } }
}

# Commands that exist only with a feature. A module cannot take its functions back, so they are made here.
$script:FeatureCommand = @{
    'Containers'       = @('Get-HnsNetwork', 'Get-HnsEndpoint', 'Get-HnsPolicyList', 'Remove-HnsNetwork',
        'Remove-HnsEndpoint', 'Remove-HnsPolicyList')
    'Hyper-V-PowerShell' = @('Get-VMSwitch', 'Remove-VMNetworkAdapter', 'Remove-VMSwitch')
    'RSAT-RemoteAccess-PowerShell' = @('Get-BgpPeer', 'Get-RemoteAccess', 'Install-RemoteAccess', 'Uninstall-RemoteAccess')
    'Windows-Defender' = @('Get-MpPreference', 'Add-MpPreference', 'Remove-MpPreference')
}

function Update-HostCommand {
    # Offers the commands of the features that are active, and no others.
    foreach ($feature in $script:FeatureCommand.Keys) {
        foreach ($name in $script:FeatureCommand[$feature]) {
            if ($script:Machine.Features[$feature] -eq 'Installed') {
                Set-Item -Path "function:global:$name" -Value (Get-Command -Name "Host$name" -CommandType Function).ScriptBlock
            } elseif (Test-Path -Path "function:$name") {
                Remove-Item -Path "function:$name"
            }
        }
    }
}
