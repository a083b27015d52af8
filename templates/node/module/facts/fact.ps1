# The node facts: what is known only on the machine.

function Get-NodeFact {
    # One of the things that are known only here; node.json may override each.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    # The network plugin may change its own facts while we run; the machine's stay.
    if ($script:Run.Facts.ContainsKey($Name)) { return $script:Run.Facts[$Name] }
    $fact = Get-NodeFactEntry -Name $Name
    $need = ConvertTo-NodeMap -Pair $fact['with']
    if ($null -ne $fact['override']) { return [string]$fact['override'] }
    switch ($Name) {
        'nodeName' { $script:Run.Facts[$Name] = Get-NodeGivenName }
        'nodeIP' { $script:Run.Facts[$Name] = (Get-NodeAddress).IPAddress }
        'adapter' { $script:Run.Facts[$Name] = (Get-NodeAddress).InterfaceAlias }
        'podSubnet' { return Get-NodePodSubnet -Need $need }
        'sourceVip' { return Get-NodeSourceVip }
        'providerID' { return Read-NodeFactFile -Need $need -Name $Name }
        default { throw "unknown fact: $Name" }
    }
    $script:Run.Facts[$Name]
}

function Get-NodeFactEntry {
    # What node.json says of a fact; an empty map where it says nothing.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $entry = @($script:Run.Document['facts'] | Where-Object -FilterScript { $_['name'] -ceq $Name })
    if ($entry.Count -gt 0) { return $entry[0] }
    New-Object -TypeName System.Collections.Specialized.OrderedDictionary
}

function Get-NodeGivenName {
    # The name that the machine is given now: by node.json, by a file, or else the DNS host name, in lower case as
    # the kubelet and kubeadm make it. Not $env:COMPUTERNAME: that is the NetBIOS name, in upper case and cut at 15
    # characters. A machine that has joined goes by the name of its certificate, see Initialize-NodeName.
    # https://learn.microsoft.com/windows/win32/sysinfo/computer-names
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $fact = Get-NodeFactEntry -Name 'nodeName'
    if ($null -ne $fact['override']) { return [string]$fact['override'] }
    $need = ConvertTo-NodeMap -Pair $fact['with']
    if ($null -ne $need['file']) { return (Read-NodeFactFile -Need $need -Name 'nodeName').ToLowerInvariant() }
    $key = 'HKLM:\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters'
    $name = Get-NodeRegistryData -Key $key -Name 'Hostname'
    if (-not $name) { throw 'the machine has no DNS host name' }
    $name.ToLowerInvariant()
}

function Get-NodeAddress {
    # The first IPv4 address of the adapter that carries the default route, or of the one that node.json names.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    $alias = (Get-NodeFactEntry -Name 'adapter')['override']
    $addresses = @(if ($null -ne $alias) {
            # HNS moves an adapter's address to a virtual one of this name.
            foreach ($name in $alias, "vEthernet ($alias)") {
                Get-NetIPAddress -InterfaceAlias $name -AddressFamily IPv4 -ErrorAction SilentlyContinue
            }
        } else {
            $route = Get-NetRoute -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue |
                Sort-Object -Property { $_.RouteMetric + $_.InterfaceMetric } | Select-Object -First 1
            if ($null -eq $route) { throw 'the machine has no default route, so its address is unknown' }
            $index = $route.InterfaceIndex
            Get-NetIPAddress -InterfaceIndex $index -AddressFamily IPv4 -ErrorAction SilentlyContinue
        })
    # 169.254: what Windows takes where it finds no DHCP server.
    $usable = @($addresses | Where-Object -FilterScript { "$($_.IPAddress)" -notlike '169.254.*' })
    if ($usable.Count -eq 0) { throw 'the adapter of the default route has no IPv4 address' }
    $usable[0]
}

function Get-NodePodSubnet {
    # This node's share of the pod CIDR, as a network address: what the HNS network has. The plugin's own file
    # comes later, and that of an earlier start may name another subnet.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = [string]$Need['network']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -eq $network) { throw "the pod subnet is not known yet: there is no HNS network $name" }
    ConvertTo-NodeSubnet -Prefix ([string]@($network.Subnets)[0].AddressPrefix)
}

function Get-NodeSourceVip {
    # The address that a step of this bundle reserved for kube-proxy.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'addressReservation' -and $step['fact'] -ceq 'sourceVip') {
            $address = Get-NodeReservation -Step $step
            if ($address) { return $address }
        }
    }
    throw 'the source VIP is not reserved yet'
}

function Read-NodeFactFile {
    # A fact that something else wrote to a file of one line.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $file = $Need['file']
    if ($null -eq $file) { throw "node.json does not say where $Name comes from" }
    if (-not (Test-Path -LiteralPath $file)) { throw "$Name is not known yet: there is no $file" }
    $value = (Read-NodeText -LiteralPath $file).Trim()
    if ($value -eq '' -or $value.Contains("`n")) { throw "$file does not hold one line" }
    $value
}
