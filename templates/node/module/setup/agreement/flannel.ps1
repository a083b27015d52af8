# Compares flannel's settings on the other nodes, read with flannel's account.

function Get-NodeFlannelComparison {
    # The backend, VNI and pod CIDRs of the other nodes. Linux and Windows nodes reach each other only with the
    # same backend, VNI and port; the port is in no object.
    # https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/annotations.go
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $own = Get-NodeFact -Name 'nodeName'
    $networks = @($Asked.Need['podCIDRs'])
    $types = @()
    $numbers = @()
    $strange = @()
    $twins = @()
    $macs = @(Get-NetAdapter -ErrorAction Stop | ForEach-Object -Process { $_.MacAddress })
    foreach ($node in @($Asked.Answer['items'] | Where-Object -FilterScript { $null -ne $_ })) {
        if ($node['metadata']['name'] -ceq $own) { continue }
        $notes = $node['metadata']['annotations']
        $types += "$($notes['flannel.alpha.coreos.com/backend-type'])"
        $data = "$($notes['flannel.alpha.coreos.com/backend-data'])"
        $numbers += [regex]::Match($data, '"VNI":\s*(\d+)').Groups[1].Value
        $mac = [regex]::Match($data, '"VtepMAC":\s*"([^"]+)').Groups[1].Value -replace ':', '-'
        if ($mac -ne '' -and $macs -contains $mac) { $twins += $node['metadata']['name'] }
        $subnet = "$($node['spec']['podCIDR'])"
        if ($subnet -ne '' -and -not (Test-NodeSubnetWithin -Subnet $subnet -Network $networks)) {
            $strange += $subnet
        }
    }
    $rows = @(
        , @('backend', $types, "$($Asked.Need['flannelBackend'])", 'network.mode, or flannel in the cluster')
        , @('vni', $numbers, "$($Asked.Need['flannelVNI'])", 'network.flannel.vni, or flannel in the cluster')
    )
    foreach ($row in $rows) {
        $found = @($row[1] | Where-Object -FilterScript { $_ -ne '' } | Select-Object -Unique)
        if ($row[2] -eq '' -or $found.Count -eq 0) { continue }
        $pair = @{ Cluster = $found -join ', '; Bundle = $row[2]; Where = $row[3] }
        ConvertTo-NodeComparison -Name $row[0] @pair -Same:($pair.Cluster -ceq $pair.Bundle)
    }
    # VXLAN finds a node by its MAC address, and cloned virtual machines may have the same one.
    if ($twins.Count -gt 0) {
        $pair = @{ Cluster = "$($twins -join ', ') with the MAC address $($macs -join ', ')" }
        $pair['Bundle'] = 'this machine with the same address'
        ConvertTo-NodeComparison -Name 'mac' @pair -Where 'the MAC address of one of the machines'
    }
    if ($strange.Count -eq 0) { return }
    $pair = @{ Cluster = "nodes with pods in $($strange -join ', ')"; Bundle = $networks -join ', ' }
    ConvertTo-NodeComparison -Name 'pods' @pair -Where 'network.podCIDRs'
}

function Test-NodeSubnetWithin {
    # Whether a subnet is in one of the networks. Only IPv4 is checked: flannel assigns only IPv4 on Windows.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Subnet,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Network
    )

    if ($Subnet.Contains(':')) { return $true }
    $inside = @($Network | Where-Object -FilterScript { -not $_.Contains(':') } | Where-Object -FilterScript {
            $whole = ConvertTo-NodeSubnet -Prefix $_
            [int]$whole.Split('/')[1] -le [int]$Subnet.Split('/')[1] -and
            (Test-NodeSubnetMember -Subnet $whole -Address $Subnet.Split('/')[0])
        })
    $inside.Count -gt 0
}
