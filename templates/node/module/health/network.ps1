# The pod network as the host networking service has it.

$script:HealthKind['network'] = @{
    Function = 'Get-NodeNetworkHealth'
    Event    = 104
    Remedy   = 'the loop makes it again; the logs of the network plugin and of kube-proxy say what they wait for'
}

function Get-NodeNetworkHealth {
    # Whether the network is there, with the endpoint by which the host takes part in it: on overlay the source
    # VIP, which kube-proxy makes, on a bridge the one that the plugin makes.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = $Need['network']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -eq $network) {
        return ConvertTo-NodeVerdict -Verdict fail -Evidence "there is no HNS network $name"
    }
    $address = Get-NodeNetworkAddress -Network $network
    $text = "HNS network $name, $($network.Type), at $address"
    if ("$($network.Type)" -ne $Need['type'] -or $address -eq '') {
        return ConvertTo-NodeVerdict -Verdict fail -Evidence "$text; wanted $($Need['type']) with an address"
    }
    $wanted = $Need['endpoint']
    $vip = if ($null -eq $wanted) { Get-NodeFact -Name 'sourceVip' } else { '' }
    $own = @(
        Get-HnsEndpoint -ErrorAction Stop |
            Where-Object -FilterScript { "$($_.VirtualNetwork)" -eq "$($network.ID)" }
    )
    $found = @($own | Where-Object -FilterScript {
            if ($vip -ne '') { "$($_.IPAddress)" -ceq $vip } else { "$($_.Name)" -ceq $wanted }
        })
    $what = if ($vip -ne '') { "the source VIP $vip" } else { $wanted }
    if ($found.Count -eq 0) {
        return ConvertTo-NodeVerdict -Verdict fail -Evidence "$text; it has no endpoint of $what"
    }
    ConvertTo-NodeVerdict -Verdict ok -Evidence "$text; endpoint of $what at $($found[0].IPAddress)"
}
