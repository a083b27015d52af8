# Node facts: values that are known only on the machine.

function Get-NodeFact {
    # The value of a node fact; node.json may override each.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    # Facts of the network plugin are not cached, because it may change them during a run; the machine's are.
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
    # The entry of a fact in node.json, or an empty map.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $entry = @($script:Run.Document['facts'] | Where-Object -FilterScript { $_['name'] -ceq $Name })
    if ($entry.Count -gt 0) { return $entry[0] }
    New-Object -TypeName System.Collections.Specialized.OrderedDictionary
}

function Get-NodeGivenName {
    # The configured name of the machine: from node.json or a file, otherwise the DNS host name, in lower case as
    # the kubelet and kubeadm use it. Not $env:COMPUTERNAME: that is the NetBIOS name, in upper case and cut at 15
    # characters. A node that has joined uses the name in its certificate, see Initialize-NodeName.
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

function Get-NodePodSubnet {
    # The node's pod CIDR, from the HNS network. The plugin's own file is written later, and may still contain the
    # subnet of an earlier start.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = [string]$Need['network']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -eq $network) { throw "the node's pod CIDR is unknown: HNS network $name not found" }
    ConvertTo-NodeSubnet -Prefix ([string]@($network.Subnets)[0].AddressPrefix)
}

function Get-NodeSourceVip {
    # The address that a step of this bundle, or the pods of the network plugin, reserved for kube-proxy.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['fact'] -ceq 'sourceVip') {
            $address = Get-NodeReservation -Step $step
            if ($address) { return $address }
        }
    }
    throw 'the source VIP is not reserved yet'
}

function Read-NodeFactFile {
    # A fact that another program wrote to a file with one line.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $file = $Need['file']
    if ($null -eq $file) { throw "node.json names no file for $Name" }
    if (-not (Test-Path -LiteralPath $file)) { throw "$Name is unknown: $file not found" }
    $value = (Read-NodeText -LiteralPath $file).Trim()
    if ($value -eq '' -or $value.Contains("`n")) { throw "${file}: must contain one line" }
    $value
}
