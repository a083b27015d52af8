# Certificates of the API server, of the cluster's CA, and of this node.

function Get-NodeCertificate {
    # The certificates in a PEM text.
    [CmdletBinding()]
    [OutputType([System.Security.Cryptography.X509Certificates.X509Certificate2[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Pem)

    $type = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
    foreach ($bytes in @(ConvertFrom-NodePem -Text $Pem -Kind 'CERTIFICATE')) {
        New-Object -TypeName $type -ArgumentList (, $bytes)
    }
}

function Get-NodeKeyDigest {
    # The CA public key hash as kubeadm prints it: SHA-256 of the public key with its algorithm.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/pubkeypin/pubkeypin.go
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)]
        [System.Security.Cryptography.X509Certificates.X509Certificate2] $Certificate
    )

    $body = @(Expand-NodeDer -Data @(Expand-NodeDer -Data $Certificate.RawData)[0].Content)[0].Content
    $fields = @(Expand-NodeDer -Data $body)
    # The version is the first field unless it is 1; the key follows serial, signature, issuer, validity, subject.
    $first = if ($fields[0].Tag -eq 0xA0) { 1 } else { 0 }
    $stream = New-Object -TypeName System.IO.MemoryStream -ArgumentList (, [byte[]]$fields[$first + 5].Whole)
    'sha256:' + (Get-FileHash -InputStream $stream -Algorithm SHA256 -ErrorAction Stop).Hash.ToLowerInvariant()
}

function Test-NodeCertificateName {
    # Whether a server's certificate is valid for a host name or an address.
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
    # Why a server's certificate does not prove that the server belongs to the cluster, or an empty string. As in
    # Go programs, only the given CA certificates are trusted, at any place in the chain; the CAs of Windows are
    # not.
    # https://pkg.go.dev/crypto/x509#VerifyOptions
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)]
        [System.Security.Cryptography.X509Certificates.X509Certificate2] $Certificate,
        # Other certificates that the server sends.
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [System.Collections.ArrayList] $Sent,
        [Parameter(Mandatory = $true)] [string] $Ca,
        [Parameter(Mandatory = $true)] [string] $HostName
    )

    $now = Read-NodeClock
    $authorities = @(Get-NodeCertificate -Pem $Ca)
    $chain = New-Object -TypeName System.Security.Cryptography.X509Certificates.X509Chain
    $chain.ChainPolicy.RevocationMode = 'NoCheck'
    $chain.ChainPolicy.VerificationFlags = 'AllowUnknownCertificateAuthority'
    # Windows may query the network about an unknown CA; its answer is not needed.
    $chain.ChainPolicy.UrlRetrievalTimeout = [TimeSpan]::FromSeconds(2)
    # In local time, like the dates of the certificate.
    $chain.ChainPolicy.VerificationTime = $now.ToLocalTime()
    foreach ($one in $authorities + @($Sent)) { $null = $chain.ChainPolicy.ExtraStore.Add($one) }
    $good = $chain.Build($Certificate)
    $from = $Certificate.NotBefore.ToUniversalTime()
    $until = $Certificate.NotAfter.ToUniversalTime()
    if ($now -lt $from) { return "its certificate is not valid until $(ConvertTo-NodeTimeText -Time $from)" }
    if ($now -gt $until) { return "its certificate expired at $(ConvertTo-NodeTimeText -Time $until)" }
    $prints = @($authorities | ForEach-Object -Process { $_.Thumbprint })
    $known = @($chain.ChainElements | Where-Object -FilterScript {
            $prints -ccontains $_.Certificate.Thumbprint
        }).Count -gt 0
    if (-not $good -or -not $known) { return 'its certificate is not signed by the CA of the cluster' }
    if (-not (Test-NodeCertificateName -Certificate $Certificate -HostName $HostName)) {
        return "its certificate is not valid for $HostName"
    }
    ''
}

function ConvertTo-NodeTimeText {
    # A time in UTC for messages.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [DateTime] $Time)

    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $Time.ToUniversalTime().ToString('yyyy-MM-dd HH:mm', $invariant) + ' UTC'
}
