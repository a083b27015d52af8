# Sends requests to the API server that no kubeconfig on the disk has the credentials for.

function Invoke-NodeRequest {
    # One GET to a server with a CA and credentials, as Invoke-NodeKubectl answers it. Without a kubeconfig, one is
    # written for this request: no credentials on the command line of kubectl, which other programs may log.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        # Server and Ca; Token, Pem or none; or Kubeconfig with all of them. Any server is accepted without a CA:
        # only for answers that are verified in another way.
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [int] $Level = 0
    )

    if ("$($Way['Kubeconfig'])" -ne '') {
        return Invoke-NodeKubectl -Kubeconfig $Way.Kubeconfig -Path $Path -Level $Level
    }
    $file = '{0}\request-{1}.conf' -f $script:Run.Document['paths']['state'], $PID
    try {
        # This folder gives access to SYSTEM and Administrators only.
        [System.IO.File]::WriteAllText((Resolve-NodePath -LiteralPath $file), (ConvertTo-NodeKubeconfig -Way $Way))
        Invoke-NodeKubectl -Kubeconfig $file -Path $Path -Level $Level
    } finally {
        [System.IO.File]::Delete((Resolve-NodePath -LiteralPath $file))
    }
}

function ConvertTo-NodeKubeconfig {
    # A kubeconfig, in the JSON that every YAML parser reads.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Way)

    $encoded = { param($Text) [System.Convert]::ToBase64String([System.Text.Encoding]::ASCII.GetBytes($Text)) }
    $cluster = [ordered]@{ server = $Way.Server }
    if ($Way.Ca -ne '') {
        $cluster['certificate-authority-data'] = & $encoded $Way.Ca
    } else {
        $cluster['insecure-skip-tls-verify'] = $true
    }
    $user = [ordered]@{}
    if ("$($Way['Token'])" -ne '') {
        $user['token'] = $Way.Token
    } elseif ("$($Way['Pem'])" -ne '') {
        foreach ($field in 'client-certificate-data', 'client-key-data') { $user[$field] = & $encoded $Way.Pem }
    } else {
        # Without a user kubectl asks for one. API servers since 1.19 ignore this, as if there were no credentials.
        # https://github.com/kubernetes/client-go/blob/master/tools/clientcmd/client_config.go
        foreach ($field in 'username', 'password') { $user[$field] = 'anonymous' }
    }
    $context = [ordered]@{ cluster = 'node'; user = 'node' }
    ConvertTo-NodeJson -InputObject ([ordered]@{
            'apiVersion'      = 'v1'
            'kind'            = 'Config'
            'clusters'        = @([ordered]@{ name = 'node'; cluster = $cluster })
            'users'           = @([ordered]@{ name = 'node'; user = $user })
            'contexts'        = @([ordered]@{ name = 'node'; context = $context })
            'current-context' = 'node'
        })
}
