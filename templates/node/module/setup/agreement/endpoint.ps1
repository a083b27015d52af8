# Compares the API server endpoint.

function Get-NodeEndpointComparison {
    # The server in cluster-info, the server that this run uses, and the profile's. With a token, kubeadm uses the
    # server in cluster-info, and only warns of a difference.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/discovery/file/file.go
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $found = @{ Path = 'cluster-info'; Text = "$($Asked.Answer['data']['kubeconfig'])" }
    $pairs = @(
        , @('cluster-info', (Get-NodeKubeconfigField -Found $found -Name 'server'))
        , @($Asked.Way.From, $Asked.Way.Server)
    )
    $endpoint = "$($Asked.Need['endpoint'])"
    $wanted = if ($endpoint -ne '') { "https://$endpoint" } else { $Asked.Way.Server }
    foreach ($pair in $pairs) {
        if ($pair[1] -eq '' -or $pair[0] -ceq 'join.endpoint') { continue }
        $given = New-Object -TypeName System.Uri -ArgumentList $pair[1]
        $bundle = New-Object -TypeName System.Uri -ArgumentList $wanted
        $row = @{ Cluster = $pair[1]; Bundle = $wanted; By = $pair[0] }
        $where = "join.endpoint, or the server in $($pair[0])"
        ConvertTo-NodeComparison -Name 'endpoint' @row -Where $where -Same:($given.Authority -eq $bundle.Authority)
    }
}
