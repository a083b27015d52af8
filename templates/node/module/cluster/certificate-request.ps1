# Asks for what became of the kubelet's request for a certificate.

function Get-NodeRequestState {
    # What the cluster says of this node's request: State is pending, approved, denied, none, or unknown where it
    # could not be asked; refused where the token is not known. Text tells it to a person.
    # https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Server,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Ca,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Token,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $text = 'what became of its request is not known: there is no token to ask with'
    $unknown = @{ State = 'unknown'; Text = $text }
    if ($Token -eq '' -or $Server -eq '' -or $Ca -eq '') { return $unknown }
    $uri = New-Object -TypeName System.Uri -ArgumentList $Server
    $path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    $answer = Invoke-NodeRequest -Uri $uri -Path $path -Ca $Ca -Token $Token
    if ($answer.Code -eq 401) {
        return @{ State = 'refused'; Text = 'the cluster does not know the token, or it has expired' }
    }
    if ($answer.Code -ne 200) {
        $unknown.Text = "$($uri.Authority) does not tell: $(Get-NodeAnswerText -Answer $answer)"
        return $unknown
    }
    $mine = @((ConvertFrom-NodeJson -Text $answer.Text)['items'] | Where-Object -FilterScript {
            $null -ne $_ -and (Test-NodeRequestOwner -Request $_ -Name $Name)
        } | Sort-Object -Property { $_['metadata']['creationTimestamp'] })
    if ($mine.Count -eq 0) { return @{ State = 'none'; Text = 'the kubelet has asked for no certificate yet' } }
    $last = $mine[$mine.Count - 1]
    $id = $last['metadata']['name']
    $said = @($last['status']['conditions'] | Where-Object -FilterScript { $null -ne $_ })
    foreach ($one in $said) {
        if ($one['type'] -cin 'Denied', 'Failed') {
            $text = "the request $id was denied: $($one['reason']) $($one['message'])"
            return @{ State = 'denied'; Text = $text.Trim() }
        }
    }
    if ($said.Count -gt 0) {
        return @{ State = 'approved'; Text = "the request $id is approved, and not signed yet" }
    }
    @{ State = 'pending'; Text = "the request $id waits for an approval: kubectl certificate approve $id" }
}

function Test-NodeRequestOwner {
    # Whether a request is for this node's client certificate.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Request,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if ($Request['spec']['signerName'] -cne 'kubernetes.io/kube-apiserver-client-kubelet') { return $false }
    $pem = [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($Request['spec']['request']))
    foreach ($bytes in @(ConvertFrom-NodePem -Text $pem -Kind 'CERTIFICATE REQUEST')) {
        # RFC 2986: of what is signed, the second part is the subject, a list of sets of a kind and a text.
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
    # What is known of this node's request, for a person: with the token of this run, or of the bootstrap file.
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
