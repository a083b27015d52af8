# Creates an l2bridge network, for a step of kind hnsNetwork whose network plugin does not create it.

# In the order of the agent linked here: the network, the host's endpoint at the second address, IP forwarding.
# https://github.com/flannel-io/flannel/blob/master/pkg/backend/hostgw/hostgw_windows.go

function Find-NodeAssignedSubnet {
    # The node's IPv4 pod CIDR from its Node object, or why there is none. One request.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $found = Read-NodeObject -Member (Get-NodeMembership)
    $result = @{ Subnet = ''; Problem = $found.Problem }
    if ($result.Problem -ne '') { return $result }
    $result.Subnet = Get-NodeAssignedSubnet -Node $found.Node
    if ($result.Subnet -ne '') { return $result }
    $result.Problem = 'the Node has no podCIDR: kube-controller-manager assigns one with --allocate-node-cidrs'
    $result
}

function Get-NodeAssignedSubnet {
    # The IPv4 pod CIDR in a Node object, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node)

    foreach ($subnet in @($Node['spec']['podCIDRs']) + @($Node['spec']['podCIDR'])) {
        if ("$subnet" -match '^[0-9.]+/\d+$') { return ConvertTo-NodeSubnet -Prefix $subnet }
    }
    ''
}

function Wait-NodeAssignedSubnet {
    # The node's pod CIDR, once the cluster has assigned it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [int] $Seconds)

    # A hash table, because the condition runs in a child scope.
    $last = @{}
    $assigned = Wait-NodeCondition -Seconds $Seconds -Condition {
        $last['found'] = Find-NodeAssignedSubnet
        $last['found'].Subnet -ne ''
    }
    if (-not $assigned) { throw "the node's pod CIDR is unknown: $($last['found'].Problem)" }
    $last['found'].Subnet
}

function Get-NodeSubnetAddress {
    # An address of a subnet by its offset.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Subnet,
        [Parameter(Mandatory = $true)] [int] $Offset
    )

    ConvertTo-NodeAddressText -Number ((Get-NodeAddressNumber -Address $Subnet.Split('/')[0]) + $Offset)
}

function Get-NodeBridgeEndpoint {
    # The host's endpoint in a network, or nothing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [object] $Network)

    Get-NodeHnsEndpoint -Network $Network -Field 'Name' -Value "$($Network.Name)_ep" | Select-Object -First 1
}

function Get-NodeBridgeLack {
    # Why a bridge is incomplete, or an empty string. The assigned pod CIDR is compared only if the API server
    # answers.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [object] $Network)

    $has = ConvertTo-NodeSubnet -Prefix ([string]@($Network.Subnets)[0].AddressPrefix)
    $assigned = (Find-NodeAssignedSubnet).Subnet
    if ($assigned -ne '' -and $has -cne $assigned) {
        return "the network's subnet is $has, expected the node's pod CIDR $assigned"
    }
    $gateway = Get-NodeSubnetAddress -Subnet $has -Offset 2
    $endpoint = Get-NodeBridgeEndpoint -Network $Network
    if ($null -eq $endpoint) { return "the network has no endpoint $($Network.Name)_ep" }
    $at = "$(Get-NodeHnsField -InputObject $endpoint -Name 'IPAddress')"
    if ($at -cne $gateway) { return "$($endpoint.Name) is at $at, expected $gateway" }
    foreach ($address in (Get-NodeNetworkAddress -Network $Network), $gateway) {
        $interface = Get-NodeInterface -Address $address
        if ($null -eq $interface) { return "no interface has the address $address" }
        if ("$($interface.Forwarding)" -ne 'Enabled') { return "IP forwarding is disabled at $address" }
    }
    ''
}

function Invoke-NodeHnsRequest {
    # One call of Microsoft's hns.psm1: the module of Windows reads and removes, but cannot create.
    # https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/hns.psm1
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Module,
        [Parameter(Mandatory = $true)] [string] $Type,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Data,
        [Parameter()] [string] $Id = '',
        [Parameter()] [string] $Action = ''
    )

    # This function only: the others have the same names as functions of Windows.
    Import-Module -Name (Resolve-NodePath -LiteralPath $Module) -Function 'Invoke-HNSRequest'
    $request = @{ Method = 'POST'; Type = $Type; Data = ConvertTo-NodeJson -InputObject $Data }
    if ($Id -ne '') { $request['Id'] = $Id }
    if ($Action -ne '') { $request['Action'] = $Action }
    try {
        Invoke-HNSRequest @request -ErrorAction Stop
    } catch {
        throw "HNS refused to $("$Action create".Trim().Split(' ')[0]) $($Type): $($_.Exception.Message)"
    }
}

function Add-NodeHnsNetwork {
    # Creates a network, and waits for the address of the machine: it has none while HNS moves the adapter to its
    # virtual switch.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Module,
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [string] $Type,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Subnet
    )

    $wish = [ordered]@{ Name = $Name; Type = $Type; Subnets = @($Subnet) }
    $adapter = (Get-NodeFactEntry -Name 'adapter')['override']
    if ($null -ne $adapter) { $wish['NetworkAdapterName'] = $adapter }
    $null = Invoke-NodeHnsRequest -Module $Module -Type 'networks' -Data $wish
    Write-NodeDetail -Text "created $Name with $($Subnet['AddressPrefix'])"
    $there = Wait-NodeCondition -Seconds 60 -Condition {
        $made = Get-NodeHnsNetwork -Name $Name
        $address = if ($null -ne $made) { Get-NodeNetworkAddress -Network $made } else { '' }
        $address -ne '' -and (Test-NodeOwnAddress -Address $address)
    }
    if (-not $there) { throw "after 60 s the HNS network $Name has no address of this machine" }
}

function Initialize-NodeBridge {
    # Creates or replaces the network and the host's endpoint, and enables IP forwarding on both.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not $PSCmdlet.ShouldProcess($name, 'create network')) { return }
    $subnet = Wait-NodeAssignedSubnet -Seconds $Step['timeout']
    $module = $Step['hnsModule']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -ne $network -and -not (Test-NodeBridgeNetwork -Network $network -Subnet $subnet)) {
        Remove-NodeHnsNetwork -Network $network
        $network = $null
    }
    if ($null -eq $network) {
        $first = Get-NodeSubnetAddress -Subnet $subnet -Offset 1
        $with = [ordered]@{ AddressPrefix = $subnet; GatewayAddress = $first }
        Add-NodeHnsNetwork -Module $module -Name $name -Type 'L2Bridge' -Subnet $with
    }
    $network = Get-NodeHnsNetwork -Name $name
    $gateway = Get-NodeSubnetAddress -Subnet $subnet -Offset 2
    $endpoint = Get-NodeBridgeEndpoint -Network $network
    $at = if ($null -ne $endpoint) { Get-NodeHnsField -InputObject $endpoint -Name 'IPAddress' }
    if ($null -ne $endpoint -and "$at" -cne $gateway) {
        Remove-NodeHnsObject -Kind Endpoint -InputObject $endpoint
        $endpoint = $null
    }
    if ($null -eq $endpoint) {
        $wish = [ordered]@{ Name = "${name}_ep"; VirtualNetwork = "$($network.ID)"; IPAddress = $gateway }
        $null = Invoke-NodeHnsRequest -Module $module -Type 'endpoints' -Data $wish
        $endpoint = Get-NodeBridgeEndpoint -Network $network
    }
    if ($null -eq (Get-NodeInterface -Address $gateway)) {
        # Compartment 1 is the host.
        $wish = [ordered]@{ SystemType = 'Host'; CompartmentId = 1 }
        $to = @{ Type = 'endpoints'; Id = "$($endpoint.ID)"; Action = 'attach' }
        $null = Invoke-NodeHnsRequest -Module $module -Data $wish @to
    }
    $attached = Wait-NodeCondition -Seconds 30 -Condition { $null -ne (Get-NodeInterface -Address $gateway) }
    if (-not $attached) { throw "after 30 s no interface has the address $gateway of ${name}_ep" }
    foreach ($address in (Get-NodeNetworkAddress -Network $network), $gateway) {
        Get-NodeInterface -Address $address | Set-NetIPInterface -Forwarding Enabled -ErrorAction Stop
    }
}

function Test-NodeBridgeNetwork {
    # Whether a network is an l2bridge of a subnet, with a management address of this machine.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [object] $Network,
        [Parameter(Mandatory = $true)] [string] $Subnet
    )

    if ("$($Network.Type)" -ne 'L2Bridge') { return $false }
    $has = ConvertTo-NodeSubnet -Prefix ([string]@($Network.Subnets)[0].AddressPrefix)
    if ($has -cne $Subnet) { return $false }
    $address = Get-NodeNetworkAddress -Network $Network
    $address -ne '' -and (Test-NodeOwnAddress -Address $address)
}
