# Compares the versions of kubelet and kubeadm with the cluster's.

function Get-NodeVersionComparison {
    # The kubelet may not be newer than the API server, and only so many minors older.
    # https://kubernetes.io/releases/version-skew-policy/
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $server = [regex]::Match("$($Asked.Answer['gitVersion'])", '^v?(?<text>1\.(?<minor>\d+).*)$')
    $ours = [regex]::Match("$($Asked.Need['kubelet'])", '^v?1\.(?<minor>\d+)')
    if (-not $server.Success -or -not $ours.Success) { return }
    $older = [int]$server.Groups['minor'].Value - [int]$ours.Groups['minor'].Value
    $pair = @{ Cluster = $server.Groups['text'].Value; Bundle = "$($Asked.Need['kubelet'])" }
    $same = $older -ge 0 -and $older -le [int]$Asked.Need['maxOlder']
    ConvertTo-NodeComparison -Name 'version' @pair -Where 'kubernetes.version' -Same:$same
}

function Get-NodeKubeadmComparison {
    # The control plane's version, which must not be too old for kubeadm.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/config/common.go
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    if ($Asked.Way.Name -ceq 'certificate' -or $null -eq $Asked.Need['kubeadm']) { return }
    $text = "$($Asked.Answer['data']['ClusterConfiguration'])"
    $found = Get-NodeYamlValue -Text $text -Name 'kubernetesVersion'
    $plane = [regex]::Match($found, '^v?(?<text>1\.(?<minor>\d+).*)$')
    $ours = [regex]::Match("$($Asked.Need['kubeadm'])", '^v?1\.(?<minor>\d+)')
    if (-not $plane.Success -or -not $ours.Success) { return }
    $newer = [int]$ours.Groups['minor'].Value - [int]$plane.Groups['minor'].Value
    $pair = @{ Cluster = $plane.Groups['text'].Value; Bundle = "$($Asked.Need['kubeadm'])" }
    $same = $newer -le [int]$Asked.Need['kubeadmMaxNewer']
    ConvertTo-NodeComparison -Name 'kubeadm' @pair -Where 'kubernetes.kubeadm' -Same:$same
}
