# Reads certificates: of this node, and of the cluster's CA.

function Get-NodeCertificate {
    # The certificates in a PEM text.
    [CmdletBinding()]
    [OutputType([System.Security.Cryptography.X509Certificates.X509Certificate2[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Pem)

    $type = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
    $pattern = '-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----'
    foreach ($block in [regex]::Matches($Pem, $pattern)) {
        $bytes = [System.Convert]::FromBase64String(($block.Groups[1].Value -replace '\s'))
        New-Object -TypeName $type -ArgumentList (, $bytes)
    }
}

function Get-NodeKeyDigest {
    # The CA public key hash as kubeadm prints it: SHA-256 of the public key with its algorithm, as in RFC 5280,
    # SubjectPublicKeyInfo. .NET Framework has its parts only: without this hash, a token would be sent to any
    # server.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/pubkeypin/pubkeypin.go
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)]
        [System.Security.Cryptography.X509Certificates.X509Certificate2] $Certificate
    )

    $key = $Certificate.PublicKey
    $id = [System.Security.Cryptography.CryptoConfig]::EncodeOID($key.Oid.Value)
    $algorithm = ConvertTo-NodeDer -Tag 0x30 -Content ($id + $key.EncodedParameters.RawData)
    $bits = ConvertTo-NodeDer -Tag 0x03 -Content (@([byte]0) + $key.EncodedKeyValue.RawData)
    $whole = ConvertTo-NodeDer -Tag 0x30 -Content ($algorithm + $bits)
    'sha256:' + (ConvertTo-NodeHex -Byte $script:Sha256.ComputeHash($whole))
}

function ConvertTo-NodeDer {
    # A value in DER: tag, length, content.
    # https://learn.microsoft.com/windows/win32/seccertenroll/about-encoded-length-and-value-bytes
    [CmdletBinding()]
    [OutputType([byte[]])]
    param(
        [Parameter(Mandatory = $true)] [byte] $Tag,
        [Parameter(Mandatory = $true)] [byte[]] $Content
    )

    $size = $Content.Length
    [byte[]]$length = if ($size -lt 128) { $size } elseif ($size -lt 256) { 0x81, $size } else {
        0x82, [math]::Floor($size / 256), ($size % 256)
    }
    , [byte[]](@($Tag) + $length + $Content)
}

function ConvertTo-NodeTimeText {
    # A time in UTC for messages.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [DateTime] $Time)

    $Time.ToUniversalTime().ToString('yyyy-MM-dd HH:mm', $script:Invariant) + ' UTC'
}
