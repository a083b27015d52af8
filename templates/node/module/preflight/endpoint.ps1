# Talks to the API server as far as a check needs it.

function Get-NodeEndpoint {
    # Host and port of the API server: from node.json, or from the discovery file on the node.
    [CmdletBinding()]
    [OutputType([System.Uri])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $text = "$($Need['endpoint'])"
    if ($text -eq '') {
        $file = "$($Need['discoveryFile'])"
        if ($file -eq '' -or -not (Test-Path -LiteralPath $file)) { throw "there is no discovery file $file" }
        $pattern = '(?m)^[\s-]*"?server"?:\s*["'']?(?<url>[^\s"'',]+)'
        $line = [regex]::Match((Read-NodeText -LiteralPath $file), $pattern)
        if (-not $line.Success) { throw "$file names no server" }
        $text = $line.Groups['url'].Value
    }
    if ($text -notmatch '^https?://') { $text = "https://$text" }
    $uri = New-Object -TypeName System.Uri -ArgumentList $text
    if ($uri.Port -lt 1) { throw "$text names no port" }
    $uri
}

function Connect-NodeEndpoint {
    # An open connection to a host and port; throws after ten seconds.
    [CmdletBinding()]
    [OutputType([System.Net.Sockets.TcpClient])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $client = New-Object -TypeName System.Net.Sockets.TcpClient
    $client.ReceiveTimeout = 10000
    $client.SendTimeout = 10000
    $waiting = $client.BeginConnect($Uri.DnsSafeHost, $Uri.Port, $null, $null)
    if (-not $waiting.AsyncWaitHandle.WaitOne(10000)) {
        $client.Close()
        throw "$($Uri.Authority) does not answer"
    }
    $client.EndConnect($waiting)
    $client
}

function Get-NodeServerTime {
    # The time of a server, from the header Date. Its certificate is not checked, as the cluster's CA is not
    # known here: the answer is compared with the clock, and nothing else is done with it.
    [CmdletBinding()]
    [OutputType([DateTime])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $client = Connect-NodeEndpoint -Uri $Uri
    try {
        $stream = $client.GetStream()
        if ($Uri.Scheme -eq 'https') {
            $stream = New-Object -TypeName System.Net.Security.SslStream -ArgumentList $stream, $false, { $true }
            # 5.1 may still be set to offer TLS 1.0 alone; None leaves the choice to Windows.
            $fixed = [int][System.Net.ServicePointManager]::SecurityProtocol -ne 0
            $choice = if ($fixed) { 'Tls12' } else { 'None' }
            $stream.AuthenticateAsClient($Uri.DnsSafeHost, $null, $choice, $false)
        }
        $call = [System.Text.Encoding]::ASCII.GetBytes("GET /version HTTP/1.0`r`nHost: $($Uri.Authority)`r`n`r`n")
        $stream.Write($call, 0, $call.Length)
        $reader = New-Object -TypeName System.IO.StreamReader -ArgumentList $stream
        for ($line = $reader.ReadLine(); $line; $line = $reader.ReadLine()) {
            if ($line -match '^Date:\s*(.+)$') {
                $invariant = [System.Globalization.CultureInfo]::InvariantCulture
                return [DateTimeOffset]::Parse($Matches[1], $invariant).UtcDateTime
            }
        }
        throw "$($Uri.Authority) does not tell the time"
    } finally {
        $client.Close()
    }
}
