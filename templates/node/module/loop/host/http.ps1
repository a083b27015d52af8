# Sends HTTP requests over a connection.

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
        throw "$($Uri.Authority): no answer within 10 s"
    }
    $client.EndConnect($waiting)
    $client
}

function Read-NodeHttpAnswer {
    # Sends one GET over a connection: code, text and date of the answer.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.IO.Stream] $Stream,
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter(Mandatory = $true)] [string[]] $Header
    )

    $lines = @("GET $Path HTTP/1.0") + $Header
    $call = [System.Text.Encoding]::ASCII.GetBytes(($lines -join "`r`n") + "`r`n`r`n")
    $Stream.Write($call, 0, $call.Length)
    $Stream.Flush()
    $reader = New-Object -TypeName System.IO.StreamReader -ArgumentList $Stream
    $first = "$($reader.ReadLine())"
    if ($first -eq '') { throw 'the connection was closed without an answer' }
    if ($first -notmatch '^HTTP/1\.\d (\d{3})') { throw 'the answer is not HTTP' }
    $answer = @{ Code = [int]$Matches[1]; Date = ''; Text = '' }
    for ($line = $reader.ReadLine(); $line; $line = $reader.ReadLine()) {
        if ($line -match '^Date:\s*(.+)$') { $answer.Date = $Matches[1] }
    }
    $answer.Text = $reader.ReadToEnd()
    $answer
}
