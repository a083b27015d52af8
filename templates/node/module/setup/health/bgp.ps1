# Checks that the BGP peers of the node are connected.

$script:HealthKind['bgp'] = @{
    Function = 'Get-NodeBgpHealth'
    Event    = 116
    Remedy   = 'see the BGPPeers and the BGPConfiguration of the cluster; TCP 179 is open in both directions'
}

function Get-NodeBgpHealth {
    # Whether each peer that the network plugin has added has a session: a connection to port 179 of either side.
    # https://github.com/projectcalico/calico/blob/87c15906f20c/confd/windows-packaging/config-bgp.psm1
    # https://datatracker.ietf.org/doc/html/rfc4271#section-8
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    # Without a router, which the plugin adds first: "BGP is not configured."
    # https://github.com/projectcalico/calico/issues/11714
    try {
        $peers = @(foreach ($peer in @(Get-BgpPeer -ErrorAction Stop)) { "$($peer.PeerIPAddress)" })
    } catch {
        $evidence = "the network plugin has not configured BGP: $($_.Exception.Message)"
        return ConvertTo-NodeVerdict -Verdict warn -Evidence $evidence
    }
    if ($peers.Count -eq 0) { return ConvertTo-NodeVerdict -Verdict warn -Evidence 'the node has no BGP peer' }
    $sessions = @{}
    foreach ($connection in Get-NetTCPConnection -ErrorAction Stop) {
        if ("$($connection.State)" -ne 'Established') { continue }
        if (179 -notin $connection.LocalPort, $connection.RemotePort) { continue }
        $sessions["$($connection.RemoteAddress)"] = $true
    }
    $away = @($peers | Where-Object -FilterScript { -not $sessions.ContainsKey($_) })
    $text = "$($peers.Count - $away.Count) of $($peers.Count) BGP peers connected"
    if ($away.Count -eq 0) { return ConvertTo-NodeVerdict -Verdict ok -Evidence $text }
    $verdict = if ($away.Count -eq $peers.Count) { 'fail' } else { 'warn' }
    $names = @($away | Select-Object -First 5) -join ', '
    ConvertTo-NodeVerdict -Verdict $verdict -Evidence "$text; not $names"
}
