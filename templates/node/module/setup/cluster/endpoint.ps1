# Finds the API server endpoint, and reads its time.

function Get-NodeEndpoint {
    # Host and port of the API server: from node.json, or from the discovery file on the node.
    [CmdletBinding()]
    [OutputType([System.Uri])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $text = "$($Need['endpoint'])"
    if ($text -eq '') {
        $file = "$($Need['discoveryFile'])"
        if ($file -eq '' -or -not (Test-Path -LiteralPath $file)) { throw "discovery file $file not found" }
        $pattern = '(?m)^[\s-]*"?server"?:\s*["'']?(?<url>[^\s"'',]+)'
        $line = [regex]::Match((Read-NodeText -LiteralPath $file), $pattern)
        if (-not $line.Success) { throw "${file}: no server" }
        $text = $line.Groups['url'].Value
    }
    if ($text -notmatch '^https?://') { $text = "https://$text" }
    $uri = New-Object -TypeName System.Uri -ArgumentList $text
    if ($uri.Port -lt 1) { throw "${text}: no port" }
    $uri
}

function Test-NodeEndpointKnown {
    # Whether the API server endpoint is known on this machine. If another program runs kubeadm, only its
    # configuration may contain it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $file = "$($Need['discoveryFile'])"
    $named = "$($Need['endpoint'])" -ne '' -or ($file -ne '' -and (Test-Path -LiteralPath $file))
    if ($named -or -not $script:Run.Elsewhere) { return $true }
    Write-NodeDetail -Text 'skipped: the API server endpoint is known only to the program that runs kubeadm'
    $false
}

function Get-NodeServerTime {
    # The time of a server, from the header Date, which kubectl logs from level 8 on. The server's certificate is
    # not verified, because the cluster's CA may be unknown: the time is compared with the clock, and not used
    # otherwise. An answer that denies the request has the header, too.
    # https://kubernetes.io/docs/reference/kubectl/quick-reference/#kubectl-output-verbosity-and-debugging
    [CmdletBinding()]
    [OutputType([DateTime])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $way = @{ Server = "$($Uri.Scheme)://$($Uri.Authority)"; Ca = '' }
    $answer = Invoke-NodeRequest -Way $way -Path '/version' -Level 8
    $date = [regex]::Match($answer.Log, '\bDate: ?\[?(?<time>\w{3}, [^\r\n"\]]+ GMT)')
    if ($date.Success) {
        return [DateTimeOffset]::Parse($date.Groups['time'].Value, $script:Invariant).UtcDateTime
    }
    if ($answer.Problem -ne '') { throw $answer.Problem }
    throw 'its answer has no Date header'
}
