# kube-proxy: what it waits for, what ends it, and the load balancers that it makes.

# Sources and what they say stand in test/host/README.md.
$script:Daemon['kube-proxy'] = {
    param($Arguments, $Name)
    # It answers the service manager before it reads anything: what is wrong ends it a moment later.
    $plan = @{ Name = $Name; Since = $script:Machine.Running[$Name]; File = Get-HostArgument -Argument $Arguments -Name '--config'; Digest = '' }
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

    if (-not $Plan.Token) { return $true }
    foreach ($path in '/api/v1/services', '/apis/discovery.k8s.io/v1/endpointslices') {
        if ((Invoke-HostApi -Token $Plan.Token -Path $path).Code -in 401, 403) { return $false }
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
        $Plan.Server, $Plan.Token = $login.Server, $login.Token
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
    Add-HostDue -After 0.5 -Name 'proxy-sync' -Subject $Plan
}

$script:Happening['proxy-sync'] = {
    # Makes load balancers, and makes them anew when the network is another one; without it there are none.
    param($Plan)
    if (-not (Test-HostProxy -Plan $Plan)) { return }
    Add-HostDue -After 30 -Name 'proxy-sync' -Subject $Plan
    $network = Get-HostProxyNetwork -Plan $Plan
    $reached = $Plan.Server -eq $script:Machine.Cluster.Server -and [WinNodeHost.ApiServer]::Listens
    if ($null -eq $network) { $script:Machine.PolicyLists = @(); return }
    # Without both it makes no rule, asks again, and is healthy all the while.
    if (-not $reached -or -not (Test-HostProxyReads -Plan $Plan)) { return }
    $endpoint = "source-vip-$($Plan.SourceVip)"
    if ($Plan.Overlay -and @($script:Machine.Endpoints | Where-Object -FilterScript { $_.ID -eq $endpoint }).Count -eq 0) {
        $script:Machine.Endpoints += @{ ID = $endpoint; Name = 'Ethernet'; Type = 'Overlay'; IPAddress = $Plan.SourceVip; VirtualNetwork = $network.ID; VirtualNetworkName = $network.Name; State = 1 }
    }
    $script:Machine.PolicyLists = @(@{ ID = 'list-1'; State = 1; References = '' })
}
