# Asks the cluster, before any change, whether it is the one that the bundle was made for.

$script:PreflightKind['cluster'] = 'Test-NodeCluster'

function Test-NodeCluster {
    # Whether cluster and bundle agree. Each difference has a name, both values, and the place to change; -Accept
    # takes it. What could not be asked is listed, and stops nothing.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $way = Get-NodeClusterWay -Need $Need
    $rows = @(if ($way.Problem -ne '') {
            ConvertTo-NodeComparison -Name 'ca' -Cluster $way.Problem -Bundle 'another' -Where $way.Where
        } elseif ($way.Server -ne '') {
            Get-NodeClusterRow -Need $Need -Way $way
        })
    if ($way.Server -eq '') { Write-NodeDetail -Text 'the cluster could not be asked: its CA is not known here' }
    $wrong = 0
    foreach ($row in $rows) {
        $taken = $script:Run.Accept -contains $row.Name
        if (-not $row.Same -and -not $taken) { $wrong++ }
        if ($row.Same -or $row.Open) {
            if ($row.Open) { Write-NodeDetail -Text "$($row.Name): could not be asked, $($row.Cluster)" }
            continue
        }
        $more = if ($taken) { 'accepted' } else { "change $($row.Where), or give -Accept $($row.Name)" }
        Write-NodeDetail -Text "$($row.Name): the cluster says $($row.Cluster), the bundle $($row.Bundle); $more"
    }
    $same = @($rows | Where-Object -FilterScript { $_.Same -and -not $_.Open } |
            ForEach-Object -Process { $_.Name })
    if ($same.Count -gt 0) { Write-NodeDetail -Text "agreed: $($same -join ', ')" }
    $wrong -eq 0
}

function ConvertTo-NodeComparison {
    # One row of the comparison.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Cluster,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Bundle,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Where,
        [Parameter()] [switch] $Same,
        [Parameter()] [switch] $Open
    )

    @{
        Name = $Name; Cluster = $Cluster; Bundle = $Bundle; Where = $Where
        Same = $Same -or $Open; Open = [bool]$Open
    }
}

function Get-NodeClusterRow {
    # All that can be compared, with what this run may show: a token, or the node's own certificate.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Way
    )

    $config = Get-NodeClusterAnswer -Way $Way -Path '/api/v1/namespaces/kube-system/configmaps/kubeadm-config'
    if ($config.Code -eq 0) {
        return ConvertTo-NodeComparison -Name 'ca' -Cluster $config.Problem -Bundle 'another' -Where $Way.Where
    }
    $shown = $Way.Token -ne '' -or $Way.Pem -ne ''
    if ($config.Code -eq 401 -and $shown) {
        $pair = @{ Cluster = '401 Unauthorized'; Bundle = 'one that it does not know, or that has expired' }
        return ConvertTo-NodeComparison -Name 'token' @pair -Where 'it (kubeadm token create makes another)'
    }
    if ($config.Code -eq 200) {
        $map = (ConvertFrom-NodeJson -Text $config.Text)['data']
        Get-NodeNetworkComparison -Need $Need -Text $map['ClusterConfiguration']
    } else {
        $who = "$(Get-NodeAnswerText -Answer $config); kubectl -n kube-system get configmap kubeadm-config"
        ConvertTo-NodeComparison -Name 'networks' -Cluster $who -Bundle '' -Where '' -Open
    }
    $kubelet = Get-NodeClusterAnswer -Way $Way -Path '/api/v1/namespaces/kube-system/configmaps/kubelet-config'
    if ($kubelet.Code -eq 200) {
        $text = (ConvertFrom-NodeJson -Text $kubelet.Text)['data']['kubelet']
        $block = [regex]::Match($text, '(?m)^clusterDNS:\s*\n(?<items>(?:\s*- .*\n?)+)').Groups['items'].Value
        $items = [regex]::Matches($block, '- *["'']?([^\s"'']+)')
        $found = @($items | ForEach-Object -Process { $_.Groups[1].Value })
        $pair = @{ Cluster = $found -join ', '; Bundle = @($Need['clusterDNS']) -join ', ' }
        $same = $pair.Cluster -ceq $pair.Bundle
        ConvertTo-NodeComparison -Name 'dns' @pair -Where 'network.clusterDNS' -Same:$same
    }
    Get-NodeVersionComparison -Need $Need -Answer (Get-NodeClusterAnswer -Way $Way -Path '/version')
    if ($Way.Pem -eq '') { Get-NodeNameComparison -Way $Way }
}

function Get-NodeNetworkComparison {
    # Networks, DNS domain and the address of the API server, as kubeadm keeps them.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [string] $Text
    )

    $fields = @(
        , @('pods', 'podSubnet', 'podCIDRs', 'network.podCIDRs')
        , @('services', 'serviceSubnet', 'serviceCIDRs', 'network.serviceCIDRs')
        , @('domain', 'dnsDomain', 'clusterDomain', 'network.clusterDomain')
    )
    foreach ($field in $fields) {
        $value = [regex]::Match($Text, "(?m)^\s*$($field[1]):\s*[`"']?(?<value>[^\s`"']+)").Groups['value'].Value
        if ($value -eq '') { continue }
        $wanted = @($Need[$field[2]])
        $here = @($value.Split(','))
        # A bundle may serve one family of a cluster that has two.
        $strange = @($wanted | Where-Object -FilterScript { $here -cnotcontains $_ })
        $pair = @{ Name = $field[0]; Cluster = $value; Bundle = $wanted -join ','; Where = $field[3] }
        ConvertTo-NodeComparison @pair -Same:($strange.Count -eq 0)
    }
}

function Get-NodeVersionComparison {
    # The kubelet may not be newer than the API server, and at most three minors older.
    # https://kubernetes.io/releases/version-skew-policy/
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Answer
    )

    $server = [regex]::Match($Answer.Text, '"gitVersion":\s*"v?(?<text>1\.(?<minor>\d+)[^"]*)"')
    $ours = [regex]::Match("$($Need['kubelet'])", '^v?1\.(?<minor>\d+)')
    if (-not $server.Success -or -not $ours.Success) { return }
    $older = [int]$server.Groups['minor'].Value - [int]$ours.Groups['minor'].Value
    $most = if ([int]$server.Groups['minor'].Value -ge 28) { 3 } else { 2 }
    $pair = @{ Cluster = $server.Groups['text'].Value; Bundle = "$($Need['kubelet'])" }
    $same = $older -ge 0 -and $older -le $most
    ConvertTo-NodeComparison -Name 'version' @pair -Where 'kubernetes.version' -Same:$same
}

function Get-NodeNameComparison {
    # A Node of this name that is Ready and has another address belongs to another machine.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Way)

    $name = Get-NodeFact -Name 'nodeName'
    $answer = Get-NodeClusterAnswer -Way $Way -Path "/api/v1/nodes/$name"
    if ($answer.Code -ne 200) { return }
    $status = (ConvertFrom-NodeJson -Text $answer.Text)['status']
    $ready = @($status['conditions'] | Where-Object -FilterScript {
            $null -ne $_ -and $_['type'] -ceq 'Ready' -and $_['status'] -ceq 'True'
        })
    $addresses = @($status['addresses'] | Where-Object -FilterScript {
            $null -ne $_ -and $_['type'] -ceq 'InternalIP'
        } | ForEach-Object -Process { $_['address'] })
    $own = Get-NodeFact -Name 'nodeIP'
    $pair = @{ Cluster = "a Ready Node $name at $($addresses -join ', ')"; Bundle = "this machine at $own" }
    $where = 'the host name or nodeName, or kubectl delete node'
    $same = $ready.Count -eq 0 -or $addresses -ccontains $own
    ConvertTo-NodeComparison -Name 'name' @pair -Where $where -Same:$same
}
