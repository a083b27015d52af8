# Certificates: of the API server, of the cluster's authority, and of this node.

function Get-NodeCertificate {
    # The certificates of a PEM text, as they stand.
    [CmdletBinding()]
    [OutputType([System.Security.Cryptography.X509Certificates.X509Certificate2[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Pem)

    $type = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
    foreach ($bytes in @(ConvertFrom-NodePem -Text $Pem -Kind 'CERTIFICATE')) {
        New-Object -TypeName $type -ArgumentList (, $bytes)
    }
}

function Get-NodeKeyDigest {
    # The digest that kubeadm prints for an authority: of its public key with the key's kind.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/pubkeypin/pubkeypin.go
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)]
        [System.Security.Cryptography.X509Certificates.X509Certificate2] $Certificate
    )

    $body = @(Expand-NodeDer -Data @(Expand-NodeDer -Data $Certificate.RawData)[0].Content)[0].Content
    $fields = @(Expand-NodeDer -Data $body)
    # The version stands first where it is not 1; the key after serial, signature, issuer, validity, subject.
    $first = if ($fields[0].Tag -eq 0xA0) { 1 } else { 0 }
    $stream = New-Object -TypeName System.IO.MemoryStream -ArgumentList (, [byte[]]$fields[$first + 5].Whole)
    'sha256:' + (Get-FileHash -InputStream $stream -Algorithm SHA256 -ErrorAction Stop).Hash.ToLowerInvariant()
}

function Test-NodeCertificateName {
    # Whether a server's certificate is for a host: a name, or an address.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)]
        [System.Security.Cryptography.X509Certificates.X509Certificate2] $Certificate,
        [Parameter(Mandatory = $true)] [string] $HostName
    )

    $list = @($Certificate.Extensions | Where-Object -FilterScript { $_.Oid.Value -eq '2.5.29.17' })
    if ($list.Count -eq 0) { return $false }
    $address = $null
    $isAddress = [System.Net.IPAddress]::TryParse($HostName, [ref]$address)
    foreach ($entry in @(Expand-NodeDer -Data @(Expand-NodeDer -Data $list[0].RawData)[0].Content)) {
        if ($isAddress) {
            $same = $entry.Tag -eq 0x87 -and "$($entry.Content)" -ceq "$($address.GetAddressBytes())"
        } else {
            $name = [System.Text.Encoding]::ASCII.GetString($entry.Content)
            $pattern = '^{0}$' -f [regex]::Escape($name).Replace('\*\.', '[^.]+\.')
            $same = $entry.Tag -eq 0x82 -and $HostName -match $pattern
        }
        if ($same) { return $true }
    }
    $false
}

function Get-NodeTrustProblem {
    # Why a server's certificate does not prove that it is the cluster's, or an empty text. An authority counts
    # only as the very certificate that we were given, at any place above the server's, as with programs in Go;
    # what Windows trusts does not count. https://pkg.go.dev/crypto/x509#VerifyOptions
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)]
        [System.Security.Cryptography.X509Certificates.X509Certificate2] $Certificate,
        # What the server sends beside it.
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [System.Collections.ArrayList] $Sent,
        [Parameter(Mandatory = $true)] [string] $Ca,
        [Parameter(Mandatory = $true)] [string] $HostName
    )

    $now = Read-NodeClock
    $authorities = @(Get-NodeCertificate -Pem $Ca)
    $chain = New-Object -TypeName System.Security.Cryptography.X509Certificates.X509Chain
    $chain.ChainPolicy.RevocationMode = 'NoCheck'
    $chain.ChainPolicy.VerificationFlags = 'AllowUnknownCertificateAuthority'
    # Windows may ask the network about an authority that it does not know; we do not.
    $chain.ChainPolicy.UrlRetrievalTimeout = [TimeSpan]::FromSeconds(2)
    # In local time, as the certificate's own.
    $chain.ChainPolicy.VerificationTime = $now.ToLocalTime()
    foreach ($one in $authorities + @($Sent)) { $null = $chain.ChainPolicy.ExtraStore.Add($one) }
    $good = $chain.Build($Certificate)
    $from = $Certificate.NotBefore.ToUniversalTime()
    $until = $Certificate.NotAfter.ToUniversalTime()
    if ($now -lt $from) { return "its certificate is not valid before $(ConvertTo-NodeTimeText -Time $from)" }
    if ($now -gt $until) { return "its certificate has expired at $(ConvertTo-NodeTimeText -Time $until)" }
    $prints = @($authorities | ForEach-Object -Process { $_.Thumbprint })
    $known = @($chain.ChainElements | Where-Object -FilterScript {
            $prints -ccontains $_.Certificate.Thumbprint
        }).Count -gt 0
    if (-not $good -or -not $known) { return 'its certificate is not signed by the CA that we have' }
    if (-not (Test-NodeCertificateName -Certificate $Certificate -HostName $HostName)) {
        return "its certificate is not for $HostName"
    }
    ''
}

function ConvertTo-NodeTimeText {
    # A moment as a person reads it, in UTC.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [DateTime] $Time)

    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $Time.ToUniversalTime().ToString('yyyy-MM-dd HH:mm', $invariant) + ' UTC'
}
