# Queries the cluster, each object with an account that may read it.

function Get-NodeClusterRow {
    # All rows of the comparison between cluster and bundle.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $way = Get-NodeClusterConnection -Need $Need
    if ($way.Problem -ne '') {
        return ConvertTo-NodeComparison -Name 'ca' -Cluster $way.Problem -Bundle 'another' -Where $way.Where
    }
    foreach ($source in $script:ClusterSource) {
        $asks = Get-NodeQueryCredential -Need $Need -Way $way -As $source.As
        if ($null -eq $asks) { continue }
        if ($asks.Problem -ne '') {
            ConvertTo-NodeOpenQuestion -Source $source -Why $asks.Problem
            continue
        }
        $path = $source.Path -f (Get-NodeFact -Name 'nodeName')
        $answer = Get-NodeClusterAnswer -Way $asks -Path $path
        if ($answer.Problem -eq '') {
            $found = ConvertFrom-NodeJson -Text $answer.Text
            & $source.Rows -Asked @{ Need = $Need; Way = $way; Answer = $found }
        } elseif ($answer.Problem -match 'x509: ') {
            $pair = @{ Cluster = $answer.Problem; Bundle = 'another'; Where = $asks.Where; By = $asks.Server }
            ConvertTo-NodeComparison -Name 'ca' @pair
            if ($source.As -cin 'self', 'anonymous') { return }
        } elseif ($answer.Reason -ceq 'Unauthorized' -and $source.As -cne 'anonymous') {
            $pair = @{ Cluster = 'Unauthorized'; Bundle = $asks.Shows; Where = $asks.Renew }
            ConvertTo-NodeComparison -Name $asks.Name @pair
            if ($source.As -ceq 'self') { return }
        } elseif ($answer.Reason -cne 'NotFound' -or -not $source['Free']) {
            ConvertTo-NodeOpenQuestion -Source $source -Why $answer.Problem
        }
    }
}

function Get-NodeQueryCredential {
    # The credentials for a query: none, the credentials of this run, or the account of a program in this bundle.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [string] $As
    )

    $asks = $Way.Clone()
    if ($Way.Server -eq '' -or $Way.Ca -eq '') { $asks.Problem = 'the API server or its CA is unknown' }
    if ($As -ceq 'self') { return $asks }
    if ($As -ceq 'anonymous') {
        $asks.Token = ''
        $asks.Kubeconfig = ''
        return $asks
    }
    $keys = @($Need.Keys | Where-Object -FilterScript { $_ -clike "$As*" })
    if ($keys.Count -eq 0) { return }
    Get-NodeAccount -Need $Need -Name $As -Way $Way
}
