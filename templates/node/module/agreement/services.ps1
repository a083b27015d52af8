# Compares addresses of services, with kube-proxy's account.

function Get-NodeDnsComparison {
    # The address of the cluster's DNS service.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $found = @(foreach ($one in $Asked.Answer['items']) {
            if ($one['metadata']['labels']['k8s-app'] -ceq 'kube-dns') { $one['spec']['clusterIP'] }
        })
    if ($found.Count -eq 0) { return }
    # Pods may ask a cache on each node before it: one address of ours must be the service's.
    $pair = @{ Cluster = $found -join ', '; Bundle = @($Asked.Need['clusterDNS']) -join ', ' }
    $same = @($found | Where-Object -FilterScript { @($Asked.Need['clusterDNS']) -ccontains $_ }).Count -gt 0
    ConvertTo-NodeComparison -Name 'dns' @pair -Where 'network.clusterDNS' -Same:$same
}

function Get-NodeServiceComparison {
    # The networks of services. A cluster may have got more of them than the bundle names, and one family more.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $found = @(foreach ($one in $Asked.Answer['items']) { $one['spec']['cidrs'] })
    if ($found.Count -eq 0) { return }
    $strange = @(@($Asked.Need['serviceCIDRs']) | Where-Object -FilterScript { $found -cnotcontains $_ })
    $pair = @{ Cluster = $found -join ', '; Bundle = @($Asked.Need['serviceCIDRs']) -join ', ' }
    ConvertTo-NodeComparison -Name 'services' @pair -Where 'network.serviceCIDRs' -Same:($strange.Count -eq 0)
}
