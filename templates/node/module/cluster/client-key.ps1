# The kubelet's client certificate together with its key, which .NET Framework does not read from PEM.

function ConvertTo-NodeClientPair {
    # A certificate with its key, as the kubelet keeps both in one file: an elliptic key of the curve P-256.
    # https://github.com/kubernetes/client-go/blob/master/util/certificate/certificate_manager.go
    [CmdletBinding()]
    [OutputType([System.Security.Cryptography.X509Certificates.X509Certificate2])]
    param([Parameter(Mandatory = $true)] [string] $Pem)

    $certificate = @(Get-NodeCertificate -Pem $Pem)[0]
    $keys = @(ConvertFrom-NodePem -Text $Pem -Kind 'EC PRIVATE KEY')
    if ($null -eq $certificate -or $keys.Count -eq 0) { throw 'there is no certificate with an elliptic key' }
    # RFC 5915: version, the key itself, then the curve and the public point.
    $fields = @(Expand-NodeDer -Data @(Expand-NodeDer -Data $keys[0])[0].Content)
    $public = @($fields | Where-Object -FilterScript { $_.Tag -eq 0xA1 })
    if ($public.Count -eq 0) { throw 'the key does not name its public point' }
    # A bit string begins with the count of unused bits, the point with 4: both coordinates follow.
    $point = @(Expand-NodeDer -Data $public[0].Content)[0].Content
    if ($point.Length -ne 66) { throw 'the key is not of the curve P-256' }
    $place = New-Object -TypeName System.Security.Cryptography.ECPoint
    $place.X = [byte[]]$point[2..33]
    $place.Y = [byte[]]$point[34..65]
    $parameters = New-Object -TypeName System.Security.Cryptography.ECParameters
    $parameters.Curve = [System.Security.Cryptography.ECCurve]::CreateFromFriendlyName('nistP256')
    $parameters.D = [byte[]]$fields[1].Content
    $parameters.Q = $place
    $key = [System.Security.Cryptography.ECDsa]::Create($parameters)
    $extension = [System.Security.Cryptography.X509Certificates.ECDsaCertificateExtensions]
    $pair = $extension::CopyWithPrivateKey($certificate, $key)
    # Schannel takes no key that lives in memory alone: https://github.com/dotnet/runtime/issues/23749
    $whole = $pair.Export('Pfx')
    New-Object -TypeName System.Security.Cryptography.X509Certificates.X509Certificate2 -ArgumentList $whole, ''
}
