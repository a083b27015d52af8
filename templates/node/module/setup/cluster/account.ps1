# Accounts of other programs on this node, which may read objects that the node itself may not read.

# Names of the accounts in messages.
$script:AccountName = @{ flannel = 'flannel-account'; kubeProxy = 'kube-proxy-account' }

function Get-NodeAccount {
    # Server, CA and credentials of a program's account, or why there are none. Before Join writes the kubeconfig,
    # its parts are used, with the server and the CA of the connection to the cluster.
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
        Server = $Way.Server; Ca = $Way.Ca; Token = ''; Pem = ''; Kubeconfig = ''; Problem = ''
        Where = $path; Renew = $path
        Name   = $script:AccountName[$Name]; Shows = 'credentials that are unknown or expired'
    }
    try {
        if ($path -ceq "$($Need["${Name}Kubeconfig"])") {
            $file = Read-NodeKubeconfig -LiteralPath $path
            foreach ($field in 'Server', 'Ca', 'Token', 'Pem') { $account[$field] = $file[$field] }
            $account.Kubeconfig = $path
            if ($file['server'] -eq '' -or $file['Ca'] -eq '') { throw "${path}: no server or no CA" }
        } elseif ("$($Need["${Name}TokenFile"])" -ne '') {
            $account.Token = (Read-NodeText -LiteralPath $path).Trim()
            $script:Run.Secrets += $account.Token
        } else {
            $key = Read-NodeText -LiteralPath $Need["${Name}Key"]
            $account.Pem = (Read-NodeText -LiteralPath $path) + "`n" + $key
        }
        if ($account.Token -eq '' -and $account.Pem.Trim() -eq '') { throw "${path}: no credentials" }
    } catch {
        $account.Problem = $_.Exception.Message
    }
    $account
}
