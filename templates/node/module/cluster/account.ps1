# Accounts of other programs on this node: what they may read at the API server, the node itself may not.

# Names of the accounts in a comparison.
$script:AccountName = @{ flannel = 'flannel-account'; kubeProxy = 'kube-proxy-account' }

function Get-NodeAccount {
    # Server, CA and credentials of a program's account, or why there are none. What Join writes itself is not
    # there before: then its parts serve, with the server and the CA of the way to the cluster.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [ValidateSet('flannel', 'kubeProxy')] [string] $Name,
        [Parameter(Mandatory = $true)] [hashtable] $Way
    )

    $path = "$($Need["${Name}Kubeconfig"])"
    foreach ($part in 'TokenFile', 'Certificate') { if ($Need["$Name$part"]) { $path = $Need["$Name$part"] } }
    $account = @{
        Server = $Way.Server; Ca = $Way.Ca; Token = ''; Pem = ''; Problem = ''; Where = $path; Renew = $path
        Name   = $script:AccountName[$Name]; Shows = 'one that it does not know, or that has expired'
    }
    try {
        if ($path -ceq "$($Need["${Name}Kubeconfig"])") {
            $file = Read-NodeKubeconfig -LiteralPath $path
            foreach ($field in 'Server', 'Ca', 'Token', 'Pem') { $account[$field] = $file[$field] }
            if ($file['server'] -eq '' -or $file['Ca'] -eq '') { throw "$path names no server, or no CA" }
        } elseif ("$($Need["${Name}TokenFile"])" -ne '') {
            $account.Token = (Read-NodeText -LiteralPath $path).Trim()
            $script:Run.Secrets += $account.Token
        } else {
            $key = Read-NodeText -LiteralPath $Need["${Name}Key"]
            $account.Pem = (Read-NodeText -LiteralPath $path) + "`n" + $key
        }
        if ($account.Token -eq '' -and $account.Pem.Trim() -eq '') { throw "$path holds no credentials" }
    } catch {
        $problem = $_
        $account.Problem = $problem.Exception.Message
    }
    $account
}

function Get-NodeClusterNeed {
    # What this bundle wants of its cluster; empty where it does not say.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $check = @($script:Run.Document['preflight'] | Where-Object -FilterScript { $_['kind'] -ceq 'cluster' })
    ConvertTo-NodeMap -Pair $(if ($check.Count -gt 0) { $check[0]['with'] })
}
