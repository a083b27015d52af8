# Checks the pod network in HNS, and the pods in it.

$script:HealthKind['network'] = @{
    Function = 'Get-NodeNetworkHealth'
    Event    = 104
    Remedy   = 'see the logs of the network plugin and of kube-proxy; the reconcile loop creates the network again'
}

$script:HealthKind['sandboxes'] = @{
    Function = 'Get-NodeSandboxHealth'
    Event    = 114
    Remedy   = 'the reconcile loop stops these sandboxes, and the kubelet creates new ones'
}

function Get-NodeNetworkHealth {
    # Whether the network exists, with the host's endpoint: on overlay that with the source VIP, which kube-proxy
    # creates, on l2bridge that of the network plugin; External has none.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = $Need['network']
    try {
        $network = Get-NodeHnsNetwork -Name $name
    } catch [System.TimeoutException] {
        $remedy = 'the reconcile loop then repairs the pod network'
        return ConvertTo-NodeVerdict -Verdict fail -Evidence $_.Exception.Message -Remedy $remedy
    }
    $remedy = if ($Need['byDaemonSet']) {
        'see the plugin''s pods on this node: kubectl get pods -A -o wide shows them'
    }
    if ($null -eq $network -and $Need['byDaemonSet']) {
        $evidence = "network pending: the network plugin has not created the HNS network $name"
        return ConvertTo-NodeVerdict -Verdict fail -Evidence $evidence -Remedy $remedy
    }
    if ($null -eq $network) {
        return ConvertTo-NodeVerdict -Verdict fail -Evidence "HNS network $name not found"
    }
    $address = Get-NodeNetworkAddress -Network $network
    $text = "HNS network $name, $($network.Type), at $address"
    if ("$($network.Type)" -ne $Need['type'] -or $address -eq '') {
        $evidence = "$text; expected $($Need['type']) with an address"
        return ConvertTo-NodeVerdict -Verdict fail -Evidence $evidence -Remedy "$remedy"
    }
    $twin = Get-NodeTunnelTwin -Network $network
    if ($twin) { return ConvertTo-NodeVerdict -Verdict fail -Evidence "$text; $($twin.Text)" -Remedy $twin.Remedy }
    $lack = if ($null -ne $Need['bridge']) { Get-NodeSwitchLack -Network $network -Need $Need }
    if ($lack) { return ConvertTo-NodeVerdict -Verdict fail -Evidence "$text; $lack" -Remedy "$remedy" }
    $wanted = $Need['endpoint']
    if ($wanted -ceq '') { return ConvertTo-NodeVerdict -Verdict ok -Evidence $text }
    $vip = if ($null -eq $wanted) { Get-NodeFact -Name 'sourceVip' } else { '' }
    $field, $value = if ($vip -ne '') { 'IPAddress', $vip } else { 'Name', $wanted }
    $found = @(Get-NodeHnsEndpoint -Network $network -Field $field -Value $value)
    $what = if ($vip -ne '') { "the source VIP $vip" } else { $wanted }
    if ($found.Count -eq 0) {
        return ConvertTo-NodeVerdict -Verdict fail -Evidence "$text; no endpoint of $what" -Remedy "$remedy"
    }
    $at = Get-NodeHnsField -InputObject $found[0] -Name 'IPAddress'
    ConvertTo-NodeVerdict -Verdict ok -Evidence "$text; endpoint of $what at $at"
}

function Get-NodeTunnelTwin {
    # Another node of an overlay with the MAC or the address of this machine, or nothing: each node of the network
    # is a policy that its plugin sets. A node with both is this machine, before it got another name.
    # https://github.com/flannel-io/flannel/blob/067ed7f6/pkg/backend/vxlan/vxlan_network_windows.go
    # https://github.com/projectcalico/calico/blob/00b9aad1/felix/dataplane/windows/vxlan_mgr.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [object] $Network)

    $peers = @(@(Get-NodeHnsField -InputObject $Network -Name 'Policies') | Where-Object -FilterScript {
            "$(Get-NodeHnsField -InputObject $_ -Name 'Type')" -eq 'RemoteSubnetRoute'
        })
    if ($peers.Count -eq 0) { return }
    $own = Get-NodeNetworkAddress -Network $Network
    $macs = @(Get-NetAdapter -ErrorAction Stop | ForEach-Object -Process { $_.MacAddress })
    foreach ($peer in $peers) {
        # Plugins write it with colons or with hyphens.
        $mac = "$(Get-NodeHnsField -InputObject $peer -Name 'DistributedRouterMacAddress')" -replace ':', '-'
        $address = "$(Get-NodeHnsField -InputObject $peer -Name 'ProviderAddress')"
        if (($macs -contains $mac) -eq ($address -eq $own)) { continue }
        $pods = Get-NodeHnsField -InputObject $peer -Name 'DestinationPrefix'
        $shared, $what = if ($address -eq $own) { "address $address", 'IP' } else { "MAC address $mac", 'MAC' }
        return @{
            Text   = "the node of $pods, at $address, has the same $shared"
            Remedy = "change the $what address of one of the machines, or delete the Node of one that is gone"
        }
    }
}

function Get-NodeSwitchLack {
    # Why the switch of a network with Open vSwitch does not carry traffic, or nothing: its extension, the bridge
    # with the address of the machine, and the agent that adds pods to it.
    # https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/agent/agent_windows.go
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [object] $Network,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need
    )

    if (-not (Test-NodeOvsExtension -Network $Network)) { return 'the extension of Open vSwitch is not enabled' }
    $bridge = $Need['bridge']
    $address = Get-NodeNetworkAddress -Network $Network
    $names = @(Get-NetIPAddress -IPAddress $address -ErrorAction SilentlyContinue | ForEach-Object -Process {
            $_.InterfaceAlias
        })
    if ($names -cnotcontains $bridge) {
        return "the interface $bridge does not have the address; restart the machine if it has another one"
    }
    $agent = @(Get-NetTCPConnection -ErrorAction Stop | Where-Object -FilterScript {
            "$($_.State)" -eq 'Listen' -and $_.LocalPort -eq $Need['port']
        })
    if ($agent.Count -eq 0) { "no program listens at port $($Need['port']), the network plugin's agent" }
}

function Get-NodeSandboxHealth {
    # Whether the sandboxes of all pods have an HNS endpoint. The loop stops those that have lost it where the
    # bundle creates the network.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $lost = @(Get-NodeLostSandbox | ForEach-Object -Process { Get-NodePodName -Pod $_ })
    if ($lost.Count -eq 0) {
        return ConvertTo-NodeVerdict -Verdict ok -Evidence 'no pod has lost its HNS endpoint'
    }
    $names = @($lost | Select-Object -First 5) -join ', '
    $evidence = "$($lost.Count) pods whose sandbox has no HNS endpoint: $names"
    $remedy = if ($Need['byDaemonSet']) {
        'delete these pods, unless the loop does, once the network plugin has created its network again'
    }
    ConvertTo-NodeVerdict -Verdict fail -Evidence $evidence -Remedy "$remedy"
}
