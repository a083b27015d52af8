# Queries the state of the kubelet's CertificateSigningRequest (CSR).

function Get-NodeRequestState {
    # The state of this node's CSR: pending, approved, denied, none; unknown if it cannot be queried; refused if
    # the token is invalid. Text is the message for the user.
    # https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $text = 'the state of its CSR is unknown: no token to query it'
    $unknown = @{ State = 'unknown'; Text = $text }
    if ($Way.Token -eq '' -or $Way.Server -eq '' -or $Way.Ca -eq '') { return $unknown }
    $answer = Invoke-NodeRequest -Way $Way -Path '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    if ($answer.Reason -ceq 'Unauthorized') {
        return @{ State = 'refused'; Text = 'the token is invalid or has expired' }
    }
    if ($answer.Problem -ne '') {
        $unknown.Text = $answer.Problem
        return $unknown
    }
    $mine = @((ConvertFrom-NodeJson -Text $answer.Text)['items'] | Where-Object -FilterScript {
            $null -ne $_ -and (Test-NodeRequestOwner -Request $_ -Name $Name)
        } | Sort-Object -Property { $_['metadata']['creationTimestamp'] })
    if ($mine.Count -eq 0) { return @{ State = 'none'; Text = 'the kubelet has not created a CSR yet' } }
    $last = $mine[$mine.Count - 1]
    $id = $last['metadata']['name']
    $said = @($last['status']['conditions'] | Where-Object -FilterScript { $null -ne $_ })
    foreach ($one in $said) {
        if ($one['type'] -cin 'Denied', 'Failed') {
            $text = "the CSR $id was denied: $($one['reason']) $($one['message'])"
            return @{ State = 'denied'; Text = $text.Trim() }
        }
    }
    if ($said.Count -gt 0) {
        return @{ State = 'approved'; Text = "the CSR $id is approved, but not signed yet" }
    }
    @{ State = 'pending'; Text = "the CSR $id is pending; to approve it: kubectl certificate approve $id" }
}

function Test-NodeRequestOwner {
    # Whether a CSR is for this node's client certificate.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Request,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if ($Request['spec']['signerName'] -cne 'kubernetes.io/kube-apiserver-client-kubelet') { return $false }
    $pem = [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($Request['spec']['request']))
    $body = $pem -replace '-----[A-Z ]+-----|\s'
    $text = [System.Text.Encoding]::GetEncoding(28591).GetString([System.Convert]::FromBase64String($body))
    # Of all names in a request only that of its subject begins so. Before a text, DER has its length in one byte.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/certificates/helpers.go
    $common = "system:node:$Name"
    $text.Contains("$([char]$common.Length)$common")
}

function Get-NodeRequestText {
    # The state of this node's CSR as a message, queried with the token of this run or of the bootstrap kubeconfig.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [hashtable] $Member
    )

    $way = @{ Server = $Member.Server; Ca = $Member.Ca; Token = $script:Run.Token }
    if (Test-Path -LiteralPath $Step['bootstrapKubeconfig']) {
        $file = Read-NodeKubeconfig -LiteralPath $Step['bootstrapKubeconfig']
        $way = @{ Server = $file['server']; Ca = $file['Ca']; Token = $file['token'] }
    }
    Get-NodeRequestState -Way $way -Name $Member.Wanted
}
