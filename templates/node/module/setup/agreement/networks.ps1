# Compares CIDRs and DNS domain with kubeadm's ClusterConfiguration.

function Get-NodeNetworkComparison {
    # CIDRs and DNS domain. A bundle may use one IP family of a dual-stack cluster.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $fields = @(
        , @('pods', 'podSubnet', 'podCIDRs', 'network.podCIDRs')
        , @('services', 'serviceSubnet', 'serviceCIDRs', 'network.serviceCIDRs')
        , @('domain', 'dnsDomain', 'clusterDomain', 'network.clusterDomain')
    )
    foreach ($field in $fields) {
        $value = Get-NodeYamlValue -Text "$($Asked.Answer['data']['ClusterConfiguration'])" -Name $field[1]
        if ($value -eq '') { continue }
        $wanted = @($Asked.Need[$field[2]])
        $here = @($value.Split(','))
        $strange = @($wanted | Where-Object -FilterScript { $here -cnotcontains $_ })
        $pair = @{ Name = $field[0]; Cluster = $value; Bundle = $wanted -join ','; Where = $field[3] }
        ConvertTo-NodeComparison @pair -Same:($strange.Count -eq 0)
    }
    Get-NodeKubeadmComparison -Asked $Asked
}

function Get-NodeYamlValue {
    # The value of a key in YAML that kubeadm wrote, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    [regex]::Match($Text, "(?m)^\s*${Name}:[ \t]*[`"']?(?<value>[^\s`"']+)").Groups['value'].Value
}
