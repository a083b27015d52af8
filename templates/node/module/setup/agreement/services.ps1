# Compares Service addresses, read with kube-proxy's account.

function Get-NodeDnsComparison {
    # The Service IP of the cluster DNS.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $found = @(foreach ($one in $Asked.Answer['items']) {
            if ($one['metadata']['labels']['k8s-app'] -ceq 'kube-dns') { $one['spec']['clusterIP'] }
        })
    if ($found.Count -eq 0) { return }
    # Pods may use a node-local DNS cache first: one of the bundle's addresses must be the Service's.
    $pair = @{ Cluster = $found -join ', '; Bundle = @($Asked.Need['clusterDNS']) -join ', ' }
    $same = @($found | Where-Object -FilterScript { @($Asked.Need['clusterDNS']) -ccontains $_ }).Count -gt 0
    ConvertTo-NodeComparison -Name 'dns' @pair -Where 'network.clusterDNS' -Same:$same
}

function Get-NodeServiceComparison {
    # The service CIDRs. A cluster may have more of them than the bundle, and a second IP family.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $found = @(foreach ($one in $Asked.Answer['items']) { $one['spec']['cidrs'] })
    if ($found.Count -eq 0) { return }
    $strange = @(@($Asked.Need['serviceCIDRs']) | Where-Object -FilterScript { $found -cnotcontains $_ })
    $pair = @{ Cluster = $found -join ', '; Bundle = @($Asked.Need['serviceCIDRs']) -join ', ' }
    ConvertTo-NodeComparison -Name 'services' @pair -Where 'network.serviceCIDRs' -Same:($strange.Count -eq 0)
}
