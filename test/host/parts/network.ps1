# The network card, its route, and what the host networking service knows.

function Get-HostEndpointCard {
    # The virtual cards of endpoints that are attached to the host, by their index.
    $index = 20
    foreach ($endpoint in @($script:Machine.Endpoints | Where-Object -FilterScript { $_['Attached'] })) {
        @{ Index = $index; Alias = "vEthernet ($($endpoint.Name))"; Address = $endpoint.IPAddress; Network = $endpoint.VirtualNetwork }
        $index++
    }
}

function Add-HostEndpoint {
    # An endpoint of the pod network that is attached to the machine.
    param([int] $Last, [string] $Name = "attached_$Last", [string] $Of = '')

    $network = $script:Machine.Networks | Where-Object -FilterScript { $_.Type -in 'Overlay', 'L2Bridge' -and $Of -in '', $_.Name } | Select-Object -First 1
    if ($null -eq $network) { return }
    $address = ConvertFrom-HostNumber -Number ((ConvertTo-HostSubnet -Text $network.Subnet).First + $Last) -Bits 32
    $script:Machine.Endpoints += @{
        ID = "endpoint-$Last"; Name = $Name; Type = $network.Type; IPAddress = $address; VirtualNetwork = $network.ID; VirtualNetworkName = $network.Name; State = 2; Attached = $true
    }
}

function Get-NetRoute {
    # An attached endpoint gets the gateway of its subnet from HNS, so the machine has a second default route.
    # flanneld: pkg/backend/hostgw/hostgw_windows.go, steps 5 and 6; https://github.com/flannel-io/flannel/issues/1763
    # Which one comes first is not documented: the harder order.
    [CmdletBinding()]
    param([string] $DestinationPrefix)

    $all = @()
    foreach ($card in @(Get-HostEndpointCard)) {
        $network = $script:Machine.Networks | Where-Object -FilterScript { $_.ID -eq $card.Network } | Select-Object -First 1
        if ($null -eq $network) { continue }
        $subnet = ConvertTo-HostSubnet -Text $network.Subnet
        $hop = ConvertFrom-HostNumber -Number ($subnet.First + 1) -Bits 32
        $all += @{ DestinationPrefix = '0.0.0.0/0'; NextHop = $hop; Alias = $card.Alias; Index = $card.Index }
    }
    if ($script:Machine.Address -ne '' -and -not $script:Machine.Moving) {
        $all += @{ DestinationPrefix = '0.0.0.0/0'; NextHop = '192.0.2.1' }
        $all += $script:Machine.Routes
    }
    # Other network cards: each has an address and a default route.
    foreach ($card in $script:Machine.Cards) {
        $all += @{ DestinationPrefix = '0.0.0.0/0'; NextHop = '198.51.100.1'; Alias = $card.Alias; Index = $card.Index; Metric = 25 }
    }
    $found = @($all | Where-Object -FilterScript { -not $DestinationPrefix -or $_.DestinationPrefix -eq $DestinationPrefix })
    if ($found.Count -eq 0) {
        Write-Error -Message "No MSFT_NetRoute objects found with property 'DestinationPrefix' equal to '$DestinationPrefix'."
        return
    }
    foreach ($route in $found) {
        [pscustomobject]@{
            DestinationPrefix = $route.DestinationPrefix; NextHop = $route.NextHop; RouteMetric = 0; InterfaceMetric = $(if ($route['Metric']) { $route.Metric } else { 15 })
            InterfaceAlias = $(if ($route['Alias']) { $route.Alias } else { 'Ethernet' }); InterfaceIndex = $(if ($route['Index']) { $route.Index } else { 4 })
        }
    }
}

function New-NetRoute {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $DestinationPrefix, [string] $NextHop = '0.0.0.0', [int] $InterfaceIndex, [string] $PolicyStore)

    Add-HostCall -Text "New-NetRoute $DestinationPrefix"
    if (-not (Assert-HostFunction -On 'New-NetRoute' -Bound $PSBoundParameters)) { return }
    if (@($script:Machine.Routes | Where-Object -FilterScript { $_.DestinationPrefix -eq $DestinationPrefix }).Count -gt 0) {
        throw 'Instance MSFT_NetRoute already exists'
    }
    $script:Machine.Routes += @{ DestinationPrefix = $DestinationPrefix; NextHop = $NextHop }
    Get-NetRoute -DestinationPrefix $DestinationPrefix
}

function Remove-NetRoute {
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param([string] $DestinationPrefix)

    Add-HostCall -Text "Remove-NetRoute $DestinationPrefix"
    $null = Get-NetRoute -DestinationPrefix $DestinationPrefix
    $script:Machine.Routes = @($script:Machine.Routes | Where-Object -FilterScript { $_.DestinationPrefix -ne $DestinationPrefix })
}

function Get-NetIPAddress {
    # The address moves to a virtual card once HNS has a network on it. Extra are further addresses of that card,
    # which come first: SkipAsSource, AddressState. The numbers of the state are defined by MSFT_NetIPAddress.
    # https://learn.microsoft.com/windows/win32/fwp/wmi/nettcpipprov/msft-netipaddress
    [CmdletBinding()]
    param([string] $IPAddress, [string] $InterfaceAlias, [int] $InterfaceIndex, [string] $AddressFamily)

    $virtual = (Get-HostSwitch -Name 'AddressMoves') -and
    @($script:Machine.Networks | Where-Object -FilterScript { $_.Type -in 'Overlay', 'L2Bridge' }).Count -gt 0
    # Antrea gives the virtual card the name of its bridge: pkg/agent/util/net_windows.go PrepareHNSNetwork, at v2.7.0.
    $alias = if (@($script:Machine.VMSwitches) -contains $script:AntreaNetwork) { 'br-int' } elseif ($script:Machine.UplinkSwitch) { "vEthernet ($($script:Machine.UplinkSwitch))" } elseif ($virtual) { 'vEthernet (Ethernet)' } else { 'Ethernet' }
    $all = @(foreach ($card in @(Get-HostEndpointCard)) { @{ IPAddress = $card.Address; InterfaceAlias = $card.Alias; InterfaceIndex = $card.Index } })
    foreach ($card in $script:Machine.Cards) { $all += @{ IPAddress = $card.Address; InterfaceAlias = $card.Alias; InterfaceIndex = $card.Index } }
    if (-not $script:Machine.Moving) {
        foreach ($one in $script:Machine.Extra) { $all += $one + @{ InterfaceAlias = $alias; InterfaceIndex = 4 } }
        $all += @{ IPAddress = $script:Machine.Address; InterfaceAlias = $alias; InterfaceIndex = 4 }
    }
    $found = @($all | Where-Object -FilterScript {
            (-not $IPAddress -or $_.IPAddress -eq $IPAddress) -and (-not $InterfaceAlias -or $_.InterfaceAlias -eq $InterfaceAlias) -and
            (-not $InterfaceIndex -or $_.InterfaceIndex -eq $InterfaceIndex)
        })
    if ($found.Count -eq 0) {
        Write-Error -Message "No MSFT_NetIPAddress objects found with property 'InterfaceAlias' equal to '$InterfaceAlias'."
        return
    }
    foreach ($one in $found) {
        [pscustomobject]@{
            IPAddress = $one.IPAddress; PrefixLength = 24; InterfaceAlias = $one.InterfaceAlias; InterfaceIndex = $one.InterfaceIndex
            SkipAsSource = [bool]$one['SkipAsSource']; AddressState = $(if ($one['AddressState']) { $one.AddressState } else { 'Preferred' })
        }
    }
}

function Get-DnsClientServerAddress {
    # 2 is IPv4, and 23 is IPv6: if IPv6 has none, Windows shows unused addresses.
    # https://learn.microsoft.com/powershell/module/dnsclient/get-dnsclientserveraddress
    [CmdletBinding()]
    param()

    [pscustomobject]@{ InterfaceAlias = 'Ethernet'; AddressFamily = [uint16]2; ServerAddresses = $script:Machine.NameServers }
    [pscustomobject]@{ InterfaceAlias = 'Ethernet'; AddressFamily = [uint16]23; ServerAddresses = @('fec0:0:0:ffff::1', 'fec0:0:0:ffff::2', 'fec0:0:0:ffff::3') }
}

function Get-NetAdapter {
    [CmdletBinding()]
    param()

    [pscustomobject]@{ Name = 'Ethernet'; InterfaceDescription = 'Virtual network card'; Status = 'Up'; MacAddress = '00-15-5D-00-0A-01'; LinkSpeed = '10 Gbps'; Virtual = $false }
    foreach ($card in $script:Machine.Cards) {
        [pscustomobject]@{ Name = $card.Alias; InterfaceDescription = 'Network card'; Status = 'Up'; MacAddress = '00-15-5D-00-0A-02'; LinkSpeed = '10 Gbps'; Virtual = $false }
    }
    $held = (Get-NetIPAddress -IPAddress $script:Machine.Address -ErrorAction SilentlyContinue).InterfaceAlias
    if ($held -and $held -ne 'Ethernet') {
        [pscustomobject]@{ Name = $held; InterfaceDescription = 'Hyper-V Virtual Ethernet Adapter'; Status = 'Up'; MacAddress = '00-15-5D-00-0A-01'; LinkSpeed = '10 Gbps'; Virtual = $true }
    }
}

# A list that is empty is $null, and not nothing: HNS answers without Output, and Invoke-HNSRequest returns
# $output.Output. So a pipeline to a command that removes fails, at $null.
# https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/hns.psm1
# https://github.com/kubernetes/kubernetes/issues/85704

function HostGet-HnsNetwork {
    [CmdletBinding()]
    param()

    if (-not (Assert-HostFunction -On 'Get-HnsNetwork' -Bound $PSBoundParameters)) { return }

    if (@($script:Machine.Networks).Count -eq 0) { return $null }
    foreach ($network in $script:Machine.Networks) {
        $found = [ordered]@{
            Name = $network.Name; Type = $network.Type; ID = $network.ID; State = 1
            Subnets = @([pscustomobject]@{ AddressPrefix = $network.Subnet; GatewayAddress = '' })
        }
        if ($network.ManagementIP -ne '' -or -not (Get-HostSwitch -Name 'AddressIsMissing')) { $found['ManagementIP'] = $network.ManagementIP }
        if ($network['Policies']) { $found['Policies'] = @($network.Policies | ForEach-Object -Process { [pscustomobject]$_ }) }
        if ($network.Type -eq 'Transparent') {
            $found['NetworkAdapterName'] = 'Ethernet'
            $found['Extensions'] = @([pscustomobject]@{ Id = '583CC151-73EC-4A6A-8B47-578297AD7623'; Name = 'Open vSwitch Extension'; IsEnabled = [bool]$network['Extension'] })
        }
        [pscustomobject]$found
    }
}

function Add-HostNetwork {
    # A new network: it has its management address somewhat later, and while HNS puts a virtual switch on the
    # adapter, which it does for the first one, no interface has the address of the machine. "Do this only once as it
    # causes network blip": microsoft/SDN, Kubernetes/windows/helper.psm1, CreateExternalNetwork.
    # Those that are not Kept go at a restart of the machine: flanneld makes its overlay with EnableNonPersistent.
    param([string] $Name, [string] $Type, [string] $Subnet, [switch] $Kept)

    $script:Machine.Made++
    $first = @($script:Machine.Networks | Where-Object -FilterScript { $_.Type -in 'Overlay', 'L2Bridge', 'Transparent' }).Count -eq 0
    if ($first -and (Get-HostSwitch -Name 'AdapterLosesRoutes')) { $script:Machine.Routes = @() }
    $script:Machine.Networks += @{ Name = $Name; Type = $Type; ID = "id-$($script:Machine.Made)"; Subnet = $Subnet; ManagementIP = ''; Kept = [bool]$Kept }
    if ($first) {
        $script:Machine.Moving = Get-HostSwitch -Name 'AdapterLosesAddress'
        # The virtual card is a new one.
        $script:Machine.Forwarding = @()
    }
    $late = $script:Machine.Network
    Add-HostDue -After $late.Address -Name 'hns-address' -Subject $Name
    Add-HostDue -After ($late.Address + $late.Interface) -Name 'hns-interface' -Subject $Name
}

$script:Happening['hns-address'] = {
    param($Name)
    foreach ($network in $script:Machine.Networks) {
        if ($network.Name -eq $Name) { $network.ManagementIP = $script:Machine.Address }
    }
}

$script:Happening['hns-interface'] = { $script:Machine.Moving = $false }

function HostGet-HnsEndpoint {
    [CmdletBinding()]
    param()

    if (-not (Assert-HostFunction -On 'Get-HnsEndpoint' -Bound $PSBoundParameters)) { return }
    if (@($script:Machine.Endpoints).Count -eq 0) { return $null }
    foreach ($endpoint in $script:Machine.Endpoints) {
        # What is empty is left out.
        $shown = @{}
        foreach ($name in $endpoint.Keys) { if ("$($endpoint[$name])" -ne '') { $shown[$name] = $endpoint[$name] } }
        [pscustomobject]$shown
    }
}

function HostGet-HnsPolicyList {
    [CmdletBinding()]
    param()

    if (-not (Assert-HostFunction -On 'Get-HnsPolicyList' -Bound $PSBoundParameters)) { return }
    if (@($script:Machine.PolicyLists).Count -eq 0) { return $null }
    foreach ($list in $script:Machine.PolicyLists) {
        $shown = [pscustomobject]$list
        # What is empty is left out.
        if ($list['Policies']) { $shown.Policies = @($list.Policies | ForEach-Object -Process { [pscustomobject]$_ }) }
        $shown
    }
}

function HostRemove-HnsNetwork {
    [CmdletBinding()]
    param([Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object] $InputObject)

    process {
        Add-HostCall -Text "Remove-HnsNetwork $($InputObject.Name)"
        $hanging = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.VirtualNetwork -eq $InputObject.ID })
        if ($hanging.Count -gt 0) { throw 'Hns failed with error : The network has active endpoints.' }
        $gone = @($script:Machine.Networks | Where-Object -FilterScript { $_.ID -eq $InputObject.ID -and $_.Type -eq 'L2Bridge' })
        # Once: what was removed twice stays away.
        $again = @($gone | Where-Object -FilterScript { (Get-HostSwitch -Name 'BridgeComesBack') -and -not $_['Back'] })
        foreach ($network in $again) { $network.Back = $true; $script:Machine.Kept += $network }
        $script:Machine.Networks = @($script:Machine.Networks | Where-Object -FilterScript { $_.ID -ne $InputObject.ID })
    }
}

function HostRemove-HnsEndpoint {
    [CmdletBinding()]
    param([Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object] $InputObject)

    process {
        Add-HostCall -Text "Remove-HnsEndpoint $($InputObject.ID)"
        if (-not (Assert-HostFunction -On 'Remove-HnsEndpoint' -Bound $PSBoundParameters)) { return }
        $script:Machine.Endpoints = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.ID -ne $InputObject.ID })
    }
}

function HostRemove-HnsPolicyList {
    [CmdletBinding()]
    param([Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object] $InputObject)

    process {
        Add-HostCall -Text "Remove-HnsPolicyList $($InputObject.ID)"
        $script:Machine.PolicyLists = @($script:Machine.PolicyLists | Where-Object -FilterScript { $_.ID -ne $InputObject.ID })
    }
}

function Restart-HostHns {
    # What a restart of the networking service leaves: not what was made without persistence, as flanneld makes its
    # overlay (EnableNonPersistent), and of the load balancers only those that are made again by then.
    # https://github.com/kubernetes/kubernetes/issues/110849 : 577, then 1, then 15.
    $machine = $script:Machine
    $machine.Hns = @{ Process = $machine.Hns.Process + 4; Start = $machine.Seconds }
    $machine.Networks = @(@($machine.Networks | Where-Object -FilterScript { $_.Type -ne 'Overlay' -or $_['Kept'] }) + $machine.Kept)
    $machine.Kept = @()
    $kept = @($machine.Networks | ForEach-Object -Process { $_.ID })
    $machine.Endpoints = @($machine.Endpoints | Where-Object -FilterScript { $kept -contains $_.VirtualNetwork })
    Send-HostServiceEvent -Name 'hns' -Id 7031
    $machine.PolicyLists = @($machine.PolicyLists | Select-Object -First (Get-HostSwitch -Name 'ListsComeBack'))
}

function Set-HostAddress {
    # The machine gets another address. Whether HNS updates its networks is not documented: both are tried.
    param([string] $Address, [bool] $Follows)

    $script:Machine.Address = $Address
    Send-HostTaskEvent -Log 'Microsoft-Windows-NetworkProfile/Operational' -Source '' -Id 10000
    if (-not $Follows) { return }
    foreach ($network in $script:Machine.Networks) { $network.ManagementIP = $Address }
}
