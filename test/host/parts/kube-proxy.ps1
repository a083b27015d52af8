# kube-proxy: what it waits for, what ends it, and the load balancers that it makes.

# Sources and what they say stand in test/host/README.md.
$script:Daemon['kube-proxy'] = {
    param($Arguments, $Name)
    # It answers the service manager before it reads anything: what is wrong ends it a moment later.
    $plan = @{ Name = $Name; Since = $script:Machine.Running[$Name]; File = Get-HostArgument -Argument $Arguments -Name '--config'; Digest = ''; Serves = $false; Port = 0; Node = ''; Queued = -1; Told = ''; Applied = @{}; NetworkId = '' }
    $script:Machine.Proxy = $plan
    Add-HostDue -After 0.2 -Name 'proxy-load' -Subject $plan
}

function Test-HostProxy {
    # Whether the kube-proxy that planned something still runs; one whose file has changed ends.
    param([hashtable] $Plan)

    if (-not $script:Machine.Running.ContainsKey($Plan.Name) -or $script:Machine.Running[$Plan.Name] -ne $Plan.Since) { return $false }
    if ($Plan.Digest -eq '' -or $Plan.Digest -eq (Get-HostProxyDigest -Plan $Plan)) { return $true }
    Stop-HostProcess -Name $Plan.Name -Message 'Error running ProxyServer: content of the proxy server''s configuration file was updated'
    $false
}

function Get-HostProxyDigest {
    # What its configuration file is now.
    param([hashtable] $Plan)

    if (-not (Test-Path -LiteralPath $Plan.File)) { return 'gone' }
    (Get-FileHash -LiteralPath $Plan.File).Hash
}

function Get-HostProxyNetwork {
    # The network of this very name, or nothing.
    param([hashtable] $Plan)

    $script:Machine.Networks | Where-Object -FilterScript { $_.Name -ceq $Plan.Network } | Select-Object -First 1
}

function Test-HostProxyReads {
    # Whether the cluster lets it read what rules are made of. A client certificate is not put to the test.
    param([hashtable] $Plan)

    $token = Get-HostToken -Login $Plan.Login
    if (-not $token) { return $true }
    foreach ($path in '/api/v1/services', '/apis/discovery.k8s.io/v1/endpointslices') {
        if ((Invoke-HostApi -Token $token -Path $path).Code -in 401, 403) { return $false }
    }
    $true
}

$script:Happening['proxy-load'] = {
    # Its configuration and its kubeconfig.
    param($Plan)
    if (-not (Test-HostProxy -Plan $Plan)) { return }
    try {
        if (-not (Test-Path -LiteralPath $Plan.File)) { throw "failed complete: open $($Plan.File): The system cannot find the file specified." }
        $Plan.Digest = Get-HostProxyDigest -Plan $Plan
        $conf = ConvertFrom-HostJson -Text (Get-Content -LiteralPath $Plan.File -Raw)
        $login = Assert-HostKubeconfig -LiteralPath $conf['clientConnection']['kubeconfig']
        $Plan.Network, $Plan.SourceVip, $Plan.Bind = $conf['winkernel']['networkName'], "$($conf['winkernel']['sourceVip'])", "$($conf['bindAddress'])"
        $Plan.Server, $Plan.Login = $login.Server, $login
        $Plan.Node = "$($conf['hostnameOverride'])"
        # An address without a port gets the default.
        $Plan.Port = if ("$($conf['healthzBindAddress'])" -match ':(\d+)$') { [int]$Matches[1] } else { 10256 }
        if (-not $Plan.Network) { throw 'Environment variable KUBE_NETWORK and network-flag not initialized' }
    } catch {
        return Stop-HostProcess -Name $Plan.Name -Message "$_"
    }
    # What an earlier one left goes.
    $script:Machine.PolicyLists = @()
    Add-HostDue -After 0 -Name 'proxy-network' -Subject $Plan
}

$script:Happening['proxy-network'] = {
    # Asks for its network once a second, for ever; on overlay it then waits ten seconds for the address.
    param($Plan)
    if (-not (Test-HostProxy -Plan $Plan)) { return }
    $network = Get-HostProxyNetwork -Plan $Plan
    if ($null -eq $network) { return Add-HostDue -After 1 -Name 'proxy-network' -Subject $Plan }
    $Plan.Overlay = $network.Type -eq 'Overlay'
    Add-HostDue -After $(if ($Plan.Overlay) { 10 } else { 0 }) -Name 'proxy-check' -Subject $Plan
}

$script:Happening['proxy-check'] = {
    # What overlay needs, once.
    param($Plan)
    if (-not (Test-HostProxy -Plan $Plan)) { return }
    $mine = if ($Plan.Bind -in '', '0.0.0.0', '::') { $script:Machine.Address } else { $Plan.Bind }
    $why = if (-not $Plan.Overlay) { '' } elseif ($null -eq (Get-HostProxyNetwork -Plan $Plan)) {
        "could not find HNS network $($Plan.Network)"
    } elseif ($Plan.SourceVip -eq '') {
        'source-vip flag not set'
    } elseif ($script:Machine.Moving -or $mine -ne $script:Machine.Address) {
        "could not find host mac address for $mine"
    } else {
        ''
    }
    if ($why) { return Stop-HostProcess -Name $Plan.Name -Message "Error running ProxyServer: unable to create proxier: $why" }
    # The health check is served once there is a proxier.
    $Plan.Serves = $true
    Add-HostDue -After 0.5 -Name 'proxy-sync' -Subject $Plan
}

$script:Happening['proxy-sync'] = {
    # Creates load balancers for what has changed, and never again what it has recorded as applied; another network, or
    # none, has it delete all and forget. pkg/proxy/winkernel/proxier.go syncProxyRules: policyApplied,
    # cleanupAllPolicies; https://github.com/kubernetes/kubernetes/issues/135802
    param($Plan)
    if (-not (Test-HostProxy -Plan $Plan)) { return }
    Add-HostDue -After 30 -Name 'proxy-sync' -Subject $Plan
    $network = Get-HostProxyNetwork -Plan $Plan
    $reached = $Plan.Server -eq $script:Machine.Cluster.Server -and [WinNodeHost.ApiServer]::Listens
    # Without both it makes no rule, asks again, and is healthy all the while.
    $reads = $reached -and (Test-HostProxyReads -Plan $Plan)
    if ($reads) {
        $told = Get-HostServiceText
        if ($told -ne $Plan.Told -and $Plan.Queued -lt 0) { $Plan.Queued = $script:Machine.Seconds }
        $Plan.Told = $told
    }
    $id = if ($null -eq $network) { '' } else { $network.ID }
    if ($id -eq '' -or ($Plan.NetworkId -ne '' -and $id -ne $Plan.NetworkId)) {
        $script:Machine.PolicyLists = @($script:Machine.PolicyLists | Where-Object -FilterScript { -not $Plan.Applied.ContainsKey($_.ID) })
        $Plan.Applied, $Plan.NetworkId = @{}, $id
        return
    }
    $Plan.NetworkId = $id
    if (-not $reads) { return }
    if ($Plan.Overlay) {
        Add-HostProxyEndpoint -Network $network -Id "source-vip-$($Plan.SourceVip)" -Address $Plan.SourceVip
    }
    $now = @{}
    foreach ($rule in @(Get-HostServiceRule)) {
        $list = ConvertTo-HostPolicyList -Rule $rule -Network $network -Plan $Plan
        if ($list.References.Count -eq 0) { continue }
        $now[$list.ID] = "$($rule.Behind)"
        if ($Plan.Applied[$list.ID] -eq $now[$list.ID]) { continue }
        $script:Machine.PolicyLists = @(@($script:Machine.PolicyLists | Where-Object -FilterScript { $_.ID -ne $list.ID }) + $list)
    }
    $script:Machine.PolicyLists = @($script:Machine.PolicyLists | Where-Object -FilterScript { -not $Plan.Applied.ContainsKey($_.ID) -or $now.ContainsKey($_.ID) })
    $Plan.Applied = $now
    $Plan.Queued = -1
}

function Add-HostProxyEndpoint {
    # An endpoint of kube-proxy's, unless there is one.
    param([hashtable] $Network, [string] $Id, [string] $Address)

    if (@($script:Machine.Endpoints | Where-Object -FilterScript { $_.ID -eq $Id }).Count -gt 0) { return }
    $script:Machine.Endpoints += @{
        ID = $Id; Name = 'Ethernet'; Type = $Network.Type; IPAddress = $Address; VirtualNetwork = $Network.ID; VirtualNetworkName = $Network.Name; State = 1; IsRemoteEndpoint = $Id.StartsWith('remote-')
    }
}

function Start-HostProxyPod {
    # kube-proxy as a HostProcess pod in a network that is not its own: it makes the endpoint of the source VIP that the node reserved.
    $name = $script:Machine.DaemonSet['Name']
    $network = @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -ceq $name })
    $store = "C:\var\lib\cni\networks\$name"
    if ($network.Count -eq 0 -or -not (Test-Path -LiteralPath $store)) { return }
    foreach ($file in @(Get-ChildItem -LiteralPath $store -File -Filter '*.*.*.*')) {
        if ("$(Get-Content -LiteralPath $file.FullName -TotalCount 1)".Trim() -cne 'winnode-source-vip') { continue }
        Add-HostProxyEndpoint -Network $network[0] -Id 'source-vip' -Address $file.Name
    }
}

function Get-HostServiceText {
    # All Services and EndpointSlices of the cluster, to see whether one has changed.
    $objects = $script:Machine.Cluster.Objects
    (@($objects.Keys | Where-Object -FilterScript { $_ -match '/(services|endpointslices)/[^/]+$' } | Sort-Object) | ForEach-Object -Process { $objects[$_] }) -join "`n"
}

function Get-HostServiceRule {
    # What each port of each service comes to: the address of the service, and those that are ready behind it.
    $objects = $script:Machine.Cluster.Objects
    $all = @{}
    foreach ($kind in 'services', 'endpointslices') {
        $all[$kind] = @($objects.Keys | Sort-Object | Where-Object -FilterScript { $_ -match "/$kind/[^/]+$" } | ForEach-Object -Process { ConvertFrom-Json -InputObject $objects[$_] -AsHashtable })
    }
    foreach ($service in $all['services']) {
        foreach ($port in @($service.spec['ports'] | Where-Object -FilterScript { $null -ne $_ })) {
            $slices = @($all['endpointslices'] | Where-Object -FilterScript {
                    $_.metadata['namespace'] -eq $service.metadata['namespace'] -and $_.metadata.labels['kubernetes.io/service-name'] -eq $service.metadata.name
                })
            $behind = @(); $target = 0
            foreach ($slice in $slices) {
                $same = @($slice.ports | Where-Object -FilterScript { "$($_['name'])" -eq "$($port['name'])" })
                if ($same.Count -eq 0) { continue }
                $target = $same[0].port
                $behind += @($slice.endpoints | Where-Object -FilterScript { $null -eq $_['conditions'] -or $false -ne $_.conditions['ready'] } | ForEach-Object -Process { $_.addresses[0] })
            }
            # None at all makes none.
            if ($behind.Count -gt 0) { @{ Vip = $service.spec.clusterIP; Port = $port.port; Target = $target; Protocol = $port['protocol']; Behind = $behind } }
        }
    }
}

function ConvertTo-HostPolicyList {
    # A load balancer as HNS has it, with the endpoint of each pod of this node that has one, and a remote endpoint for
    # each other address.
    param([hashtable] $Rule, [hashtable] $Network, [hashtable] $Plan)

    $own = ConvertTo-HostSubnet -Text $script:Machine.PodSubnet
    $references = foreach ($address in $Rule.Behind) {
        $number = (ConvertTo-HostNumber -Text $address).Number
        if ($number -ge $own.First -and $number -le $own.Last) {
            # Local endpoint not found: it goes on without it.
            $script:Machine.Endpoints | Where-Object -FilterScript { $_.IPAddress -eq $address -and $_.VirtualNetwork -eq $Network.ID } |
                ForEach-Object -Process { "/endpoints/$($_.ID)" }
            continue
        }
        Add-HostProxyEndpoint -Network $Network -Id "remote-$address" -Address $address
        "/endpoints/remote-$address"
    }
    @{
        ID = "list-$($Rule.Vip)-$($Rule.Port)-$($Rule.Protocol)"; State = 2; IsApplied = $false; References = @($references)
        Policies = @(@{
                ExternalPort = $Rule.Port; InternalPort = $Rule.Target; IsDSR = $true; Protocol = @{ TCP = 6; UDP = 17 }[$Rule.Protocol]
                SourceVIP = "$($Plan.SourceVip)"; Type = 'ELB'; VIPs = @($Rule.Vip)
            })
    }
}

function Get-HostProxyHealth {
    # What kube-proxy says at its port: 503 where a change has waited for a minute, or where its Node is about to go.
    $plan = $script:Machine.Proxy
    if ($null -eq $plan -or -not $plan.Serves -or -not (Test-HostProxy -Plan $plan)) { return }
    $node = $script:Machine.Cluster.Objects["/api/v1/nodes/$($plan.Node)"]
    $object = if ($node) { ConvertFrom-Json -InputObject $node -AsHashtable }
    $taints = @(if ($object) { $object.spec['taints'] | Where-Object -FilterScript { $null -ne $_ } | ForEach-Object -Process { $_.key } })
    $eligible = $taints -notcontains 'ToBeDeletedByClusterAutoscaler' -and ($null -eq $object -or -not $object.metadata['deletionTimestamp'])
    $late = $plan.Queued -ge 0 -and $script:Machine.Seconds - $plan.Queued -ge 60
    $at = (Get-HostTime).ToString('u')
    @{ Code = if ($eligible -and -not $late) { 200 } else { 503 }; Text = "{`"lastUpdated`": `"$at`",`"currentTime`": `"$at`", `"nodeEligible`": $("$eligible".ToLowerInvariant())}" }
}
