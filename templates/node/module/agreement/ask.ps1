# Puts the questions to the cluster, each with the account that may ask it.

function Get-NodeClusterRow {
    # All rows of the comparison, source by source.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $way = Get-NodeClusterWay -Need $Need
    if ($way.Problem -ne '') {
        return ConvertTo-NodeComparison -Name 'ca' -Cluster $way.Problem -Bundle 'another' -Where $way.Where
    }
    foreach ($source in $script:ClusterSource) {
        $asks = Get-NodeAsker -Need $Need -Way $way -As $source.As
        if ($null -eq $asks) { continue }
        if ($asks.Problem -ne '') {
            ConvertTo-NodeOpenQuestion -Source $source -Why $asks.Problem
            continue
        }
        $path = $source.Path -f (Get-NodeFact -Name 'nodeName')
        $answer = Get-NodeClusterAnswer -Way $asks -Path $path
        if ($answer.Code -eq 0 -and -not $answer.Own) {
            $pair = @{ Cluster = $answer.Problem; Bundle = 'another'; Where = $asks.Where; By = $asks.Server }
            ConvertTo-NodeComparison -Name 'ca' @pair
            if ($source.As -cin 'us', 'anybody') { return }
        } elseif ($answer.Code -eq 401 -and ($asks.Token -ne '' -or $asks.Pem -ne '')) {
            $pair = @{ Cluster = '401 Unauthorized'; Bundle = $asks.Shows; Where = $asks.Renew }
            ConvertTo-NodeComparison -Name $asks.Name @pair
            if ($source.As -ceq 'us') { return }
        } elseif ($answer.Code -eq 200) {
            $found = ConvertFrom-NodeJson -Text $answer.Text
            & $source.Rows -Asked @{ Need = $Need; Way = $way; Answer = $found }
        } elseif ($answer.Code -ne 404 -or -not $source['Free']) {
            ConvertTo-NodeOpenQuestion -Source $source -Why (Get-NodeAnswerText -Answer $answer)
        }
    }
}

function Get-NodeAsker {
    # With what a question is put: nothing, what this run has, or the account of a program that this bundle runs.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [string] $As
    )

    $asks = $Way.Clone()
    if ($Way.Server -eq '' -or $Way.Ca -eq '') { $asks.Problem = 'the server or its CA is not known here' }
    if ($As -ceq 'us') { return $asks }
    if ($As -ceq 'anybody') {
        $asks.Token = ''
        $asks.Pem = ''
        return $asks
    }
    $keys = @($Need.Keys | Where-Object -FilterScript { $_ -clike "$As*" })
    if ($keys.Count -eq 0) { return }
    Get-NodeAccount -Need $Need -Name $As -Way $Way
}
