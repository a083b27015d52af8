# Compares the kubelet settings that kubeadm distributes: cluster DNS, and the healthz port.

function Get-NodeKubeletComparison {
    # Cluster DNS and domain; and the port at which kubeadm waits for the kubelet: the one in this ConfigMap, or
    # 10248 for versions of kubeadm that do not read it. The kubelet uses the bundle's port. Port 0 is not waited
    # for.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $text = "$($Asked.Answer['data']['kubelet'])"
    $block = [regex]::Match($text, '(?m)^clusterDNS:\s*\n(?<items>(?:\s*- .*\n?)+)').Groups['items'].Value
    # NodeLocal DNSCache has a link-local address on each Linux node, and does not run on Windows.
    $found = @([regex]::Matches($block, '- *["'']?([^\s"'']+)') | ForEach-Object -Process { $_.Groups[1].Value } |
            Where-Object -FilterScript { $_ -notlike '169.254.*' })
    $pair = @{ Cluster = $found -join ', '; Bundle = @($Asked.Need['clusterDNS']) -join ', ' }
    $same = $pair.Cluster -ceq $pair.Bundle
    if ($found.Count -gt 0) {
        ConvertTo-NodeComparison -Name 'dns' @pair -Where 'network.clusterDNS' -Same:$same
    }
    $domain = Get-NodeYamlValue -Text $text -Name 'clusterDomain'
    $pair = @{ Cluster = $domain; Bundle = "$($Asked.Need['clusterDomain'])"; Where = 'network.clusterDomain' }
    if ($domain -ne '') { ConvertTo-NodeComparison -Name 'domain' @pair -Same:($domain -ceq $pair.Bundle) }
    if ($Asked.Way.Name -ceq 'certificate' -or $null -eq $Asked.Need['healthzPort']) { return }
    $port = Get-NodeYamlValue -Text $text -Name 'healthzPort'
    $waits = if ($port -ne '' -and $Asked.Need['readsHealthzPort']) { $port } else { '10248' }
    $pair = @{ Cluster = $waits; Bundle = "$($Asked.Need['healthzPort'])" }
    $where = 'healthzPort in the ConfigMap kubelet-config'
    $by = 'the port at which kubeadm waits for the kubelet'
    ConvertTo-NodeComparison -Name 'health' @pair -By $by -Where $where -Same:($waits -cin '0', $pair.Bundle)
}
