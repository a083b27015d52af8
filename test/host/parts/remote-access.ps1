# Remote Access: the router in which Calico configures BGP. Its commands come with their feature.

function HostGet-RemoteAccess {
    # https://learn.microsoft.com/previous-versions/windows/desktop/ramgmtpsprov/remoteaccess
    [CmdletBinding()]
    param()

    [pscustomobject]@{ DAStatus = 'Uninstalled'; VpnStatus = $script:Machine.Remote.Vpn; VpnS2SStatus = 'Uninstalled'; RoutingStatus = $script:Machine.Remote.Routing }
}

function HostGet-BgpPeer {
    # The fields that Calico's own script reads: calico, confd/windows-packaging/config-bgp.psm1 ProcessBgpPeers.
    [CmdletBinding()]
    param()

    # https://github.com/projectcalico/calico/issues/11714
    if ($null -eq $script:Machine.Remote['Peers']) { throw 'BGP is not configured.' }
    foreach ($peer in @($script:Machine.Remote['Peers'] | Where-Object -FilterScript { $null -ne $_ })) {
        [pscustomobject]@{ PeerName = "Mesh_$($peer.Address.Replace('.', '_'))"; LocalIPAddress = $script:Machine.Address; PeerIPAddress = $peer.Address; PeerASN = 64512 }
    }
}

function HostInstall-RemoteAccess {
    # After the restart that its features need. "Sometimes the remote access service fails to start automatically after
    # install": https://docs.tigera.io, Calico for Windows before 3.28; the harder way: it never does.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $VpnType)

    Add-HostCall -Text "Install-RemoteAccess $VpnType"
    Assert-HostHealth -On 'Install-RemoteAccess'
    foreach ($feature in 'RemoteAccess', 'Routing') {
        if ($script:Machine.Features[$feature] -ne 'Installed') { throw "The feature $feature is not installed" }
    }
    $script:Machine.Remote.Routing = 'Installed'
    Set-HostServiceValue -Name 'RemoteAccess' -Value 'Start' -Kind 'DWord' -Data 2
}

function HostUninstall-RemoteAccess {
    # All of it. https://learn.microsoft.com/powershell/module/remoteaccess/uninstall-remoteaccess
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([switch] $Force)

    if (-not $Force) { throw 'Windows PowerShell is in NonInteractive mode. Read and Prompt functionality is not available.' }
    Add-HostCall -Text 'Uninstall-RemoteAccess'
    Stop-HostService -Name 'RemoteAccess'
    $script:Machine.Remote = @{ Routing = 'Uninstalled'; Vpn = 'Uninstalled' }
    Set-HostServiceValue -Name 'RemoteAccess' -Value 'Start' -Kind 'DWord' -Data 4
}
