# Sends requests to the API server, and trusts it only if its certificate is signed by the cluster's CA.

function Invoke-NodeRequest {
    # One GET: code and text of the answer. Code 0 means no answer, with the reason in Problem. Lasting: a retry
    # would have the same result. Own: the cause is on this machine. Nothing is sent before the server's
    # certificate is verified.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.Uri] $Uri,
        [Parameter(Mandatory = $true)] [string] $Path,
        # Empty to accept any certificate: only for answers that are verified in another way.
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Ca,
        [Parameter()] [AllowEmptyString()] [string] $Token = '',
        # The client certificate with its key.
        [Parameter()] [AllowEmptyString()] [string] $Pem = ''
    )

    $answer = @{ Code = 0; Text = ''; Problem = ''; Lasting = $false; Own = $false; Date = '' }
    $client = $null
    try {
        $client = Connect-NodeEndpoint -Uri $Uri
        $pair = if ($Pem -ne '') { Get-NodeClientPair -Pem $Pem } else { $null }
        $sent = New-Object -TypeName System.Collections.ArrayList
        $stream = Open-NodeTlsStream -Client $client -Uri $Uri -Pair $pair -Sent $sent
        if ($Ca -ne '') {
            $raw = $stream.RemoteCertificate.GetRawCertData()
            $type = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
            $shown = New-Object -TypeName $type -ArgumentList (, $raw)
            $look = @{ Certificate = $shown; Sent = $sent; Ca = $Ca; HostName = $Uri.DnsSafeHost }
            $answer.Problem = Get-NodeTrustProblem @look
            $answer.Lasting = $answer.Problem -ne ''
            if ($answer.Lasting) { return $answer }
        }
        $lines = @("Host: $($Uri.Authority)", 'Accept: application/json')
        if ($Token -ne '') { $lines += "Authorization: Bearer $Token" }
        $said = Read-NodeHttpAnswer -Stream $stream -Path $Path -Header $lines
        foreach ($field in 'Code', 'Text', 'Date') { $answer[$field] = $said[$field] }
        $answer.Lasting = $answer.Code -lt 500 -and $answer.Code -ne 429
    } catch {
        $problem = $_
        $answer.Code = 0
        $answer.Problem = $problem.Exception.GetBaseException().Message
        # If the server answers without it, Windows does not accept the client certificate.
        if ($Pem -ne '' -and (Invoke-NodeRequest -Uri $Uri -Path '/version' -Ca $Ca).Code -ne 0) {
            $answer.Problem = "Windows does not send the client certificate: $($answer.Problem)"
            $answer.Own = $true
            $answer.Lasting = $true
        }
    } finally {
        if ($null -ne $client) { $client.Close() }
    }
    $answer
}

function Open-NodeTlsStream {
    # Opens a TLS connection. It accepts any server certificate; the caller verifies it.
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSReviewUnusedParameter', '',
        Justification = '.NET calls the script blocks with these parameters, and one of them uses Sent.')]
    [CmdletBinding()]
    [OutputType([System.Net.Security.SslStream])]
    param(
        [Parameter(Mandatory = $true)] [System.Net.Sockets.TcpClient] $Client,
        [Parameter(Mandatory = $true)] [System.Uri] $Uri,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Pair,
        # Filled with the other certificates that the server sends.
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [System.Collections.ArrayList] $Sent
    )

    $type = 'System.Security.Cryptography.X509Certificates.X509CertificateCollection'
    $shown = New-Object -TypeName $type
    if ($null -ne $Pair) { $null = $shown.Add($Pair) }
    # Without a callback, .NET Framework queries the network about the issuer, and sends the certificate only if
    # the server requested exactly that issuer.
    # https://github.com/microsoft/referencesource/blob/master/System/net/System/Net/_SecureChannel.cs
    $choose = { param($source, $target, $own) if ($own.Count -gt 0) { $own[0] } }
    $take = {
        param($source, $own, $chain)
        foreach ($one in $chain.ChainPolicy.ExtraStore) { $null = $Sent.Add($one) }
        $true
    }
    $type = 'System.Net.Security.SslStream'
    $stream = New-Object -TypeName $type -ArgumentList $Client.GetStream(), $false, $take, $choose
    # 5.1 may be configured for TLS 1.0 only; None leaves the choice to Windows.
    $fixed = [int][System.Net.ServicePointManager]::SecurityProtocol -ne 0
    $choice = if ($fixed) { 'Tls12' } else { 'None' }
    $stream.AuthenticateAsClient($Uri.DnsSafeHost, $shown, $choice, $false)
    $stream
}
