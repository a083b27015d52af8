# flanneld: what it refuses, and the course of its network, from flannel's source and from verdicts.

# Sources and what they say stand in test/host/README.md.
$script:Daemon['flanneld'] = {
    param($Arguments)
    if ($Arguments -notcontains '--kube-subnet-mgr') { throw 'flanneld: Created subnet manager: Etcd Local Manager with Previous Subnet: None' }
    $kubeconfig = Get-HostArgument -Argument $Arguments -Name '--kubeconfig-file'
    $problem = 'flanneld: Failed to create SubnetManager'
    if (-not (Test-Path -LiteralPath $kubeconfig)) {
        throw "${problem}: fail to create kubernetes config: GetFileAttributesEx ${kubeconfig}: The system cannot find the file specified."
    }
    $plan = Read-HostFlannelConfig -LiteralPath (Get-HostArgument -Argument $Arguments -Name '--net-config-path')
    $plan.File = Get-HostArgument -Argument $Arguments -Name '--subnet-file'
    $plan.Since = $script:Machine.Seconds
    # "Waiting 10m0s for node controller to sync" takes it a second; then it takes the lease of its node.
    Add-HostDue -After 1.2 -Name 'flannel-network' -Subject $plan
}

function Read-HostFlannelConfig {
    # What flanneld makes of net-conf.json, or the words with which it ends.
    param([string] $LiteralPath)

    $problem = 'flanneld: Failed to create SubnetManager'
    if (-not (Test-Path -LiteralPath $LiteralPath)) { throw "${problem}: failed to read net conf: open $LiteralPath" }
    $bytes = [System.IO.File]::ReadAllBytes((Convert-Path -LiteralPath $LiteralPath))
    if ($bytes[0] -eq 0xEF) { throw "${problem}: error parsing subnet config: invalid character looking for beginning of value" }
    $conf = [System.Text.Encoding]::UTF8.GetString($bytes) | ConvertFrom-Json -AsHashtable
    # A map of one key would give its value up as a property.
    $backend = $conf['Backend']
    if ($null -eq $backend) { throw 'flanneld: Error fetching backend: unknown backend type: udp' }
    $type = "$($backend['Type'])".ToLowerInvariant()
    $bad = 'flanneld: Error registering network: invalid VXLAN backend config.'
    if ($type -eq 'vxlan') {
        if ([int]$backend['VNI'] -lt 4096) { throw "$bad VNI [$($backend['VNI'])] must be greater than or equal to 4096 on Windows" }
        if ($backend['Port'] -and $backend['Port'] -ne 4789) { throw "$bad Port [$($backend['Port'])] is not supported on Windows." }
        if ($backend['DirectRouting'] -or $backend['GBP']) { throw "$bad DirectRouting and GBP are not supported on Windows" }
        if ($backend['MacPrefix'] -and $backend['MacPrefix'] -notmatch '^..-..$') { throw "$bad MacPrefix is invalid" }
    } elseif ($type -ne 'host-gw') {
        throw "flanneld: Error fetching backend: unknown backend type: $type"
    }
    $name = if ($backend['Name']) { $backend['Name'] } elseif ($type -eq 'vxlan') { "flannel.$($backend['VNI'])" } else { 'cbr0' }
    @{
        Name = $name; Network = $conf['Network']; Try = 0
        Type = if ($type -eq 'vxlan') { 'Overlay' } else { 'L2Bridge' }
        Mtu  = if ($type -eq 'vxlan') { 1450 } else { 1500 }
    }
}

function Test-HostFlannel {
    # Whether the flanneld that planned something still runs.
    param([hashtable] $Plan)

    $script:Machine.Running.ContainsKey('flanneld') -and $script:Machine.Running['flanneld'] -eq $Plan.Since
}

function Stop-HostFlannel {
    # flanneld ends with these words; nssm starts it again.
    param([string] $Message)

    $script:Machine.Events += "flanneld : $Message"
    Add-HostDue -After 2 -Name 'nssm' -Subject 'flanneld'
}

function Get-HostFlannelNetwork {
    # The network that a plan is about, or nothing.
    param([hashtable] $Plan)

    $script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $Plan.Name } | Select-Object -First 1
}

$script:Happening['flannel-network'] = {
    # Keeps a network of the right type and subnet, else makes it anew; then waits for it. The file comes last.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $subnet = $script:Machine.PodSubnet
    if (($Plan.Network -split '\.')[0..1] -join '.' -ne (($subnet -split '\.')[0..1] -join '.')) {
        return Stop-HostFlannel -Message "Error registering network: failed to acquire lease: subnet `"$($Plan.Network)`" specified in the flannel net config doesn't contain `"$subnet`" PodCIDR"
    }
    $there = Get-HostFlannelNetwork -Plan $Plan
    if ($null -eq $there -or $there.Type -ne $Plan.Type -or $there.Subnet -ne $subnet) {
        $script:Machine.Networks = @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -ne $Plan.Name })
        Add-HostNetwork -Name $Plan.Name -Type $Plan.Type -Subnet $subnet
    }
    Add-HostDue -After 0 -Name 'flannel-address' -Subject $Plan
}

$script:Happening['flannel-address'] = {
    # Asks for the management address of the network, every half a second for five.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $network = Get-HostFlannelNetwork -Plan $Plan
    if ($null -eq $network) { return Stop-HostFlannel -Message 'Error registering network: network not found' }
    if ($network.ManagementIP -eq '') {
        $Plan.Try++
        if ($Plan.Try -gt 10) {
            return Stop-HostFlannel -Message "Error registering network: timeout, failed to get management IP from HostComputeNetwork $($Plan.Name)"
        }
        return Add-HostDue -After 0.5 -Name 'flannel-address' -Subject $Plan
    }
    $Plan.Try = 0
    Add-HostDue -After 0 -Name 'flannel-interface' -Subject $Plan
}

$script:Happening['flannel-interface'] = {
    # Looks for the interface that has this address: for overlay every five seconds for 45, else for five.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $pause, $limit = if ($Plan.Type -eq 'Overlay') { 5, 45 } else { 0.5, 5 }
    if ($script:Machine.Moving) {
        $Plan.Try++
        if ($Plan.Try * $pause -gt $limit) {
            return Stop-HostFlannel -Message "Error registering network: Interface bound to $($Plan.Name) took too long to get ready."
        }
        return Add-HostDue -After $pause -Name 'flannel-interface' -Subject $Plan
    }
    if ($Plan.Type -eq 'L2Bridge') { Add-HostBridgeEndpoint -Plan $Plan }
    Add-HostDue -After 0.05 -Name 'flannel-file' -Subject $Plan
}

$script:Happening['flannel-file'] = {
    # The last act: from now on it is ready.
    param($Plan)
    if (-not (Test-HostFlannel -Plan $Plan)) { return }
    $null = New-Item -ItemType Directory -Path (Split-Path -Path $Plan.File) -Force
    $gateway = $script:Machine.PodSubnet -replace '0/', '1/'
    $lines = "FLANNEL_NETWORK=$($Plan.Network)", "FLANNEL_SUBNET=$gateway", "FLANNEL_MTU=$($Plan.Mtu)", 'FLANNEL_IPMASQ=false'
    Set-Content -LiteralPath $Plan.File -Value ($lines -join "`n")
}

function Add-HostBridgeEndpoint {
    # The host's own endpoint in the bridge, at the second address of the subnet.
    param([hashtable] $Plan)

    $name = "$($Plan.Name)_ep"
    if (@($script:Machine.Endpoints | Where-Object -FilterScript { $_.Name -eq $name }).Count -gt 0) { return }
    $script:Machine.Endpoints += @{
        ID = "endpoint-$($Plan.Name)"; Name = $name; Type = $Plan.Type; IPAddress = $script:Machine.PodSubnet -replace '0/.*$', '2'
        VirtualNetwork = "id-$($Plan.Name)"; VirtualNetworkName = $Plan.Name; State = 1
    }
}
