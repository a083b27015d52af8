# Compares what kubeadm gives to kubelets: names, and the port of health.

function Get-NodeKubeletComparison {
    # DNS address and domain; and where kubeadm waits for the kubelet: at the port of this ConfigMap from 1.30.2
    # on, at 10248 before, while the kubelet answers at the bundle's. A port of 0 is not waited for.
    # https://github.com/kubernetes/kubernetes/pull/125265
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Answer
    )

    $text = "$($Answer['data']['kubelet'])"
    $block = [regex]::Match($text, '(?m)^clusterDNS:\s*\n(?<items>(?:\s*- .*\n?)+)').Groups['items'].Value
    $found = @([regex]::Matches($block, '- *["'']?([^\s"'']+)') | ForEach-Object -Process { $_.Groups[1].Value })
    $pair = @{ Cluster = $found -join ', '; Bundle = @($Need['clusterDNS']) -join ', ' }
    $same = $pair.Cluster -ceq $pair.Bundle
    if ($found.Count -gt 0) {
        ConvertTo-NodeComparison -Name 'dns' @pair -Where 'network.clusterDNS' -Same:$same
    }
    $domain = Get-NodeYamlValue -Text $text -Name 'clusterDomain'
    $pair = @{ Cluster = $domain; Bundle = "$($Need['clusterDomain'])"; Where = 'network.clusterDomain' }
    if ($domain -ne '') { ConvertTo-NodeComparison -Name 'domain' @pair -Same:($domain -ceq $pair.Bundle) }
    if ($Way.Name -ceq 'certificate' -or $null -eq $Need['kubeadm']) { return }
    $port = Get-NodeYamlValue -Text $text -Name 'healthzPort'
    $reads = "$($Need['kubeadm'])" -match '^v?1\.(\d+)\.(\d+)' -and
    ([int]$Matches[1] -gt 30 -or ([int]$Matches[1] -eq 30 -and [int]$Matches[2] -ge 2))
    $waits = if ($port -eq '' -or -not $reads) { '10248' } else { $port }
    $pair = @{ Cluster = $waits; Bundle = "$($Need['healthzPort'])"; By = 'kubeadm, which waits for the kubelet,' }
    $where = 'healthzPort in the ConfigMap kubelet-config'
    ConvertTo-NodeComparison -Name 'health' @pair -Where $where -Same:($waits -cin '0', $pair.Bundle)
}
