# flanneld: the course of its network, from its start to subnet.env.

# Sources and what they say stand in test/host/README.md.
$script:Daemon['flanneld'] = {
    param($Arguments, $Name)
    $process = if ($script:Machine.Wrapped.ContainsKey($Name)) { $script:Machine.Wrapped[$Name].Process } else { 0 }
    $plan = Read-HostFlannelFlag -Argument $Arguments -Name $Name
    $plan.Name, $plan.Process, $plan.Until, $plan.Try = $Name, $process, ($script:Machine.Seconds + 600), 0
    if ($plan.Etcd) {
        # Queries etcd, which does not exist, forever.
        $script:Machine.Events += "$Name : Created subnet manager: Etcd Local Manager with Previous Subnet: None"
        return
    }
    Add-HostDue -After 1 -Name 'flannel-sync' -Subject $plan
}

function Test-HostFlannel {
    # Whether the flanneld that planned something still runs.
    param([hashtable] $Plan)

    Test-HostWrappedProcess -Name $Plan.Name -Process $Plan.Process
}

function Stop-HostFlannel {
    # flanneld ends with these words and 1.
    param([hashtable] $Plan, [string] $Message)

    Stop-HostWrappedProcess -Name $Plan.Name -Message $Message
}

function Get-HostFlannelNetwork {
    # The network that a plan is about, or nothing.
    param([hashtable] $Plan)

    $script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $Plan.Conf.Name } | Select-Object -First 1
}

$script:Happening['flannel-sync'] = {
    # Lists the nodes, for ten minutes; then finds its interface, and what is wrong with the backend.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $answer = Invoke-HostApi -Token (Get-HostToken -Login $Plan.Login) -Path '/api/v1/nodes'
    if ($answer.Code -ne 200 -or $Plan.Server -ne $script:Machine.Cluster.Server) {
        if ($script:Machine.Seconds -lt $Plan.Until) { return Add-HostDue -After 1 -Name 'flannel-sync' -Subject $Plan }
        return Stop-HostFlannel -Plan $Plan -Message 'Failed to create SubnetManager: error waiting for nodeController to sync state: context deadline exceeded'
    }
    if ($Plan.Conf.Late) { return Stop-HostFlannel -Plan $Plan -Message $Plan.Conf.Late }
    # Any interface with that address will do, an endpoint's too: pkg/ipmatch/match.go LookupExtIface, GetInterfaceByIP.
    if (@(Get-NetIPAddress -IPAddress $Plan.Interface -ErrorAction SilentlyContinue).Count -eq 0) {
        return Stop-HostFlannel -Plan $Plan -Message 'Failed to find interface to use that matches the interfaces and/or regexes provided'
    }
    if ($Plan.Conf.Refusal) { return Stop-HostFlannel -Plan $Plan -Message $Plan.Conf.Refusal }
    Add-HostDue -After 0.1 -Name 'flannel-lease' -Subject $Plan
}

$script:Happening['flannel-lease'] = {
    # Its node, every three seconds for thirty; the node's subnet is the lease.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $problem = 'Error registering network: failed to acquire lease:'
    if ($null -eq [WinNodeHost.ApiServer]::Get("/api/v1/nodes/$($Plan.Node)")) {
        if ($Plan.Try -eq 0) { $script:Machine.Events += "$($Plan.Name) : Failed to get node for backend data: " }
        $Plan.Try++
        if ($Plan.Try -gt 10) {
            return Stop-HostFlannel -Plan $Plan -Message "$problem timeout contacting kube-api, failed to patch node `"$($Plan.Node)`". Error: context deadline exceeded"
        }
        return Add-HostDue -After 3 -Name 'flannel-lease' -Subject $Plan
    }
    $subnet = $script:Machine.PodSubnet
    if ($subnet -eq '') { return Stop-HostFlannel -Plan $Plan -Message "$problem node `"$($Plan.Node)`" pod cidr not assigned" }
    $own, $whole = (ConvertTo-HostSubnet -Text $subnet), (ConvertTo-HostSubnet -Text $Plan.Conf.Network)
    # A node with IPv6 alone gets no subnet at all, and nothing says so.
    if ($own.Bits -eq 128) { $subnet = '0.0.0.0/0' } elseif ($own.First -lt $whole.First -or $own.Last -gt $whole.Last) {
        return Stop-HostFlannel -Plan $Plan -Message "$problem subnet `"$($Plan.Conf.Network)`" specified in the flannel net config doesn't contain `"$subnet`" PodCIDR of the `"$($Plan.Node)`" node"
    }
    $Plan.Subnet, $Plan.Try = $subnet, 0
    $there = Get-HostFlannelNetwork -Plan $Plan
    if ($null -ne $there -and $there.Type -eq $Plan.Conf.Type -and $there.Subnet -eq $subnet) {
        # Does not wait for an existing one.
        return Add-HostDue -After 0 -Name 'flannel-interface' -Subject $Plan
    }
    $script:Machine.Networks = @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -ne $Plan.Conf.Name })
    Add-HostNetwork -Name $Plan.Conf.Name -Type $Plan.Conf.Type -Subnet $subnet
    Add-HostDue -After 0 -Name 'flannel-address' -Subject $Plan
}

$script:Happening['flannel-address'] = {
    # Asks for the management address of a new network, every half a second for five.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $network = Get-HostFlannelNetwork -Plan $Plan
    $Plan.Try++
    if (($null -eq $network -or $network.ManagementIP -eq '') -and $Plan.Try -le 10) { return Add-HostDue -After 0.5 -Name 'flannel-address' -Subject $Plan }
    $Plan.Try = 0
    Add-HostDue -After 0 -Name 'flannel-interface' -Subject $Plan
}

$script:Happening['flannel-interface'] = {
    # Looks for the interface that has this address: for overlay every five seconds for 45, else for five.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $overlay = $Plan.Conf.Type -eq 'Overlay'
    $network = Get-HostFlannelNetwork -Plan $Plan
    $problem = 'Error registering network:'
    if ($null -eq $network -or $network.ManagementIP -eq '') {
        # Over the five seconds ensureNetwork wraps an error that is nil, and what comes next says this.
        $why = if ($overlay) { 'cannot parse DR MAC : address : invalid MAC address' } else { "timeout, failed to get management IP from HNSNetwork $($Plan.Conf.Name): timed out waiting for the condition" }
        return Stop-HostFlannel -Plan $Plan -Message "$problem $why"
    }
    $pause, $limit = if ($overlay) { 5, 45 } else { 0.5, 5 }
    if ($script:Machine.Moving) {
        $Plan.Try++
        if ($Plan.Try * $pause -gt $limit) {
            $why = if ($overlay) { "Interface bound to $($Plan.Conf.Name) took too long to get ready. Please check your network host configuration" } else { "timeout, failed to get net interface for HNSNetwork $($Plan.Conf.Name)" }
            return Stop-HostFlannel -Plan $Plan -Message "$problem $why"
        }
        return Add-HostDue -After $pause -Name 'flannel-interface' -Subject $Plan
    }
    if (-not $overlay) { Add-HostBridgeEndpoint -Plan $Plan }
    Add-HostDue -After 0.05 -Name 'flannel-file' -Subject $Plan
}

$script:Happening['flannel-file'] = {
    # The last act: from now on it is ready.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $null = New-Item -ItemType Directory -Path (Split-Path -Path $Plan.File) -Force
    $subnet = ConvertTo-HostSubnet -Text $Plan.Subnet
    $gateway = '{0}/{1}' -f (ConvertFrom-HostNumber -Number ($subnet.First + 1) -Bits $subnet.Bits), $subnet.Length
    $mtu = if ($Plan.Conf.Type -eq 'Overlay') { $script:Machine.Mtu - 50 } else { $script:Machine.Mtu }
    $lines = "FLANNEL_NETWORK=$($Plan.Conf.Network)", "FLANNEL_SUBNET=$gateway", "FLANNEL_MTU=$mtu", "FLANNEL_IPMASQ=$($Plan.Masquerade)"
    [System.IO.File]::WriteAllText((Convert-Path -LiteralPath (Split-Path -Path $Plan.File)) + '/' + (Split-Path -Path $Plan.File -Leaf), ($lines -join "`n") + "`n")
    (Get-Item -LiteralPath $Plan.File).LastWriteTimeUtc = Get-HostTime
}

function Add-HostBridgeEndpoint {
    # The host's own endpoint in the bridge, at the second address of the subnet.
    param([hashtable] $Plan)

    $name = "$($Plan.Conf.Name)_ep"
    if (@($script:Machine.Endpoints | Where-Object -FilterScript { $_.Name -eq $name }).Count -gt 0) { return }
    $subnet = ConvertTo-HostSubnet -Text $Plan.Subnet
    $script:Machine.Endpoints += @{
        ID = "endpoint-$($Plan.Conf.Name)"; Name = $name; Type = $Plan.Conf.Type; IPAddress = ConvertFrom-HostNumber -Number ($subnet.First + 2) -Bits 32
        VirtualNetwork = (Get-HostFlannelNetwork -Plan $Plan).ID; VirtualNetworkName = $Plan.Conf.Name; State = 2; Attached = $true
    }
}
