# The IPv4 address of the node.

function Get-NodeAddress {
    # The address, with its interface: on a joined node the recorded one, while an interface has it; otherwise the
    # first of the adapter that node.json names, or of the default route with the lowest metric.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    $given = Get-NodeFactEntry -Name 'adapter'
    $alias = $given['override']
    # HNS moves the address of an adapter to a virtual adapter of this name, and a network plugin may rename it.
    $names = $alias, "vEthernet ($alias)", (ConvertTo-NodeMap -Pair $given['with'])['bridge']
    $taken = @(Get-NodePodInterface)
    # 169.254.0.0/16: addresses that Windows assigns without a DHCP server.
    $own = @(Get-NetIPAddress -AddressFamily IPv4 -ErrorAction SilentlyContinue | Where-Object -FilterScript {
            ($null -eq $alias -or $names -contains $_.InterfaceAlias) -and
            "$($_.IPAddress)" -notlike '169.254.*' -and
            $taken -notcontains "$($_.InterfaceAlias) $($_.IPAddress)" -and
            -not (Test-NodePodAddress -Address "$($_.IPAddress)")
        })
    $before = $script:Run.State['address']
    $kept = @($own | Where-Object -FilterScript { $script:Run.State['joined'] -and $_.IPAddress -eq $before })
    if ($kept.Count -gt 0) { return $kept[0] }
    $usable = @($own | Where-Object -FilterScript {
            -not $_.SkipAsSource -and "$($_.AddressState)" -eq 'Preferred'
        })
    $routes = @(if ($null -eq $alias) {
            Get-NetRoute -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue |
                Sort-Object -Property { $_.RouteMetric + $_.InterfaceMetric }
        })
    if ($null -eq $alias -and $routes.Count -eq 0) {
        throw 'the machine has no default route: its address is unknown'
    }
    $found = @(if ($null -ne $alias) { $usable })
    foreach ($route in $routes) {
        $found += @($usable | Where-Object -FilterScript { $_.InterfaceIndex -eq $route.InterfaceIndex })
    }
    if ($found.Count -eq 0) { throw 'the adapter of the default route has no IPv4 address' }
    $found[0]
}

function Get-NodePodInterface {
    # Interfaces of HNS endpoints that are attached to the host, with their addresses. A network plugin attaches
    # one to its bridge, which adds a second default route.
    # https://github.com/flannel-io/flannel/blob/master/pkg/backend/hostgw/hostgw_windows.go
    # https://github.com/flannel-io/flannel/issues/1763
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    if (-not (Test-NodeHnsPresent)) { return }
    $fields = 'IsRemoteEndpoint', 'Name', 'IPAddress'
    foreach ($endpoint in @(Get-NodeHnsObject -Kind Endpoint | Select-Object -Property $fields)) {
        # A remote endpoint has no interface.
        if ($endpoint.IsRemoteEndpoint) { continue }
        "vEthernet ($($endpoint.Name)) $($endpoint.IPAddress)"
    }
}

function Get-NodeInterface {
    # The IPv4 interface with an address, or nothing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    $found = @(Get-NetIPAddress -IPAddress $Address -ErrorAction SilentlyContinue)
    if ($found.Count -eq 0) { return }
    Get-NetIPInterface -InterfaceIndex $found[0].InterfaceIndex -AddressFamily IPv4 -ErrorAction Stop
}

function Test-NodePodAddress {
    # Whether an address is in a pod CIDR of the cluster.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    foreach ($subnet in @((Get-NodeClusterNeed)['podCIDRs'])) {
        if ("$subnet" -notmatch '^[0-9.]+/\d+$') { continue }
        $pods = ConvertTo-NodeSubnet -Prefix $subnet
        if (Test-NodeSubnetMember -Subnet $pods -Address $Address) { return $true }
    }
    $false
}

function Get-NodeClusterNeed {
    # What this bundle requires of its cluster, or an empty map.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $check = @($script:Run.Document['preflight'] | Where-Object -FilterScript { $_['kind'] -ceq 'cluster' })
    ConvertTo-NodeMap -Pair $(if ($check.Count -gt 0) { $check[0]['with'] })
}
