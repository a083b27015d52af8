# Loads the kubelet's client certificate with its key, which .NET Framework cannot read from PEM.

function ConvertTo-NodeClientPair {
    # A certificate with its key, from the file in which the kubelet stores both: an EC key on the curve P-256.
    # https://github.com/kubernetes/client-go/blob/master/util/certificate/certificate_manager.go
    [CmdletBinding()]
    [OutputType([System.Security.Cryptography.X509Certificates.X509Certificate2])]
    param([Parameter(Mandatory = $true)] [string] $Pem)

    $certificate = @(Get-NodeCertificate -Pem $Pem)[0]
    $keys = @(ConvertFrom-NodePem -Text $Pem -Kind 'EC PRIVATE KEY')
    if ($null -eq $certificate -or $keys.Count -eq 0) { throw 'no certificate with an EC private key' }
    # RFC 5915: version, the key itself, then the curve and the public point.
    $fields = @(Expand-NodeDer -Data @(Expand-NodeDer -Data $keys[0])[0].Content)
    $public = @($fields | Where-Object -FilterScript { $_.Tag -eq 0xA1 })
    if ($public.Count -eq 0) { throw 'the key has no public point' }
    # A bit string starts with the count of unused bits, the point with 4; both coordinates follow.
    $point = @(Expand-NodeDer -Data $public[0].Content)[0].Content
    if ($point.Length -ne 66) { throw 'the key is not on the curve P-256' }
    $place = New-Object -TypeName System.Security.Cryptography.ECPoint
    $place.X = [byte[]]$point[2..33]
    $place.Y = [byte[]]$point[34..65]
    $parameters = New-Object -TypeName System.Security.Cryptography.ECParameters
    $parameters.Curve = [System.Security.Cryptography.ECCurve]::CreateFromFriendlyName('nistP256')
    $parameters.D = [byte[]]$fields[1].Content
    $parameters.Q = $place
    $key = [System.Security.Cryptography.ECDsa]::Create($parameters)
    $extension = [System.Security.Cryptography.X509Certificates.ECDsaCertificateExtensions]
    $made = $extension::CopyWithPrivateKey($certificate, $key)
    # Schannel does not accept a key that exists only in memory: https://github.com/dotnet/runtime/issues/23749
    # Export and import use a password, because some versions of Windows treat no password and an empty one
    # differently.
    # https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-pfximportcertstore
    $password = [System.Guid]::NewGuid().ToString()
    $whole = $made.Export('Pfx', $password)
    $made.Dispose()
    $key.Dispose()
    $type = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
    try {
        New-Object -TypeName $type -ArgumentList $whole, $password, 'DefaultKeySet'
    } catch {
        # A session without a loaded user profile has no own key store.
        # https://learn.microsoft.com/dotnet/api/system.security.cryptography.x509certificates.x509keystorageflags
        $problem = $_
        Write-Verbose -Message $problem.Exception.Message
        New-Object -TypeName $type -ArgumentList $whole, $password, 'MachineKeySet'
    }
}

function Get-NodeClientPair {
    # The certificate and key of this run, loaded once: each load creates a key in Windows' store until the run
    # ends.
    [CmdletBinding()]
    [OutputType([System.Security.Cryptography.X509Certificates.X509Certificate2])]
    param([Parameter(Mandatory = $true)] [string] $Pem)

    if ($null -eq $script:Run.Pair -or $script:Run.PairPem -cne $Pem) {
        Clear-NodeClientPair
        $script:Run.Pair = ConvertTo-NodeClientPair -Pem $Pem
        $script:Run.PairPem = $Pem
    }
    $script:Run.Pair
}

function Clear-NodeClientPair {
    # Removes the key of this run from Windows' store. .NET Framework leaves it there.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $pair = if ($null -ne $script:Run) { $script:Run.Pair } else { $null }
    if ($null -eq $pair) { return }
    $script:Run.Pair = $null
    try {
        $extension = [System.Security.Cryptography.X509Certificates.ECDsaCertificateExtensions]
        $key = $extension::GetECDsaPrivateKey($pair)
        if ($null -ne $key.PSObject.Properties['Key']) { $key.Key.Delete() }
    } catch {
        $problem = $_
        $text = "a copy of the node's key remains in the key store: $($problem.Exception.Message)"
        Write-NodeLog -Level warn -Step '' -Message $text
    }
    $pair.Dispose()
}
