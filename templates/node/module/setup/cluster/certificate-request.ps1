# Queries the state of the kubelet's CertificateSigningRequest (CSR).

function Get-NodeRequestState {
    # The state of this node's CSR: pending, approved, denied, none; unknown if it cannot be queried; refused if
    # the token is invalid. Text is the message for the user.
    # https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Server,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Ca,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Token,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $text = 'the state of its CSR is unknown: no token to query it'
    $unknown = @{ State = 'unknown'; Text = $text }
    if ($Token -eq '' -or $Server -eq '' -or $Ca -eq '') { return $unknown }
    $uri = New-Object -TypeName System.Uri -ArgumentList $Server
    $path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    $answer = Invoke-NodeRequest -Uri $uri -Path $path -Ca $Ca -Token $Token
    if ($answer.Code -eq 401) {
        return @{ State = 'refused'; Text = 'the token is invalid or has expired' }
    }
    if ($answer.Code -ne 200) {
        $unknown.Text = "$($uri.Authority): $(Get-NodeAnswerText -Answer $answer)"
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
    foreach ($bytes in @(ConvertFrom-NodePem -Text $pem -Kind 'CERTIFICATE REQUEST')) {
        # RFC 2986: the second part of the signed content is the subject, a list of sets of a type and a text.
        $info = @(Expand-NodeDer -Data @(Expand-NodeDer -Data $bytes)[0].Content)[0].Content
        foreach ($set in @(Expand-NodeDer -Data @(Expand-NodeDer -Data $info)[1].Content)) {
            $pair = @(Expand-NodeDer -Data @(Expand-NodeDer -Data $set.Content)[0].Content)
            $text = [System.Text.Encoding]::ASCII.GetString($pair[1].Content)
            if ($text -ceq "system:node:$Name") { return $true }
        }
    }
    $false
}

function Get-NodeRequestText {
    # The state of this node's CSR as a message, queried with the token of this run or of the bootstrap kubeconfig.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [hashtable] $Member
    )

    $ask = @{ Server = $Member.Server; Ca = $Member.Ca; Token = $script:Run.Token; Name = $Member.Wanted }
    if (Test-Path -LiteralPath $Step['bootstrapKubeconfig']) {
        $file = Read-NodeKubeconfig -LiteralPath $Step['bootstrapKubeconfig']
        $ask = @{ Server = $file['server']; Ca = $file['Ca']; Token = $file['token']; Name = $Member.Wanted }
    }
    Get-NodeRequestState @ask
}
