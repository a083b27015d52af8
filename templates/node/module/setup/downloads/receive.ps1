# Downloads a URL in several attempts, each of which resumes where the last one stopped, or copies a file.

function Receive-NodeFile {
    # Downloads a URL, resumes earlier attempts, and retries a few times with growing pauses. Returns whether part
    # of the file is from an earlier attempt.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        # Maximum size in bytes.
        [Parameter()] [long] $Most = $script:Limit.DownloadBytes,
        # Whether the digest is pinned in node.json.
        [Parameter()] [bool] $Pinned = $false
    )

    for ($attempt = 1; ; $attempt++) {
        try {
            return Receive-NodePart -Url $Url -LiteralPath $LiteralPath -Most $Most -Pinned $Pinned
        } catch {
            if (Test-NodeFatal -ErrorRecord $_) {
                Clear-NodePath -LiteralPath $LiteralPath
                throw "$Url cannot be downloaded: $($_.Exception.Message)"
            }
            if ($attempt -ge $script:Limit.Attempts) {
                throw "$Url cannot be downloaded, $attempt attempts: $($_.Exception.Message)"
            }
            Write-NodeLog -Level warn -Step '' -Message "$Url, attempt ${attempt}: $($_.Exception.Message)"
            $null = Read-NodeClock -After ([math]::Pow(2, $attempt - 1))
        }
    }
}

function Test-NodeFatal {
    # Whether a retry is useless: the server rejects the request, the folder or share does not have the file, the
    # URL is not allowed, or the disk is full.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Management.Automation.ErrorRecord] $ErrorRecord)

    $code = Get-NodeStatusCode -ErrorRecord $ErrorRecord
    # 408 and 429 ask the client to retry; after 416 the download restarts from the first byte.
    if ($code -ne 0) { return $code -ge 400 -and $code -lt 500 -and $code -notin 408, 416, 429 }
    $cause = $ErrorRecord.Exception.GetBaseException()
    $diskFull = -2147024784
    # Of a share that does not answer, .NET throws an IOException: it may answer later.
    $absent = $cause -is [System.IO.FileNotFoundException] -or $cause -is [System.IO.DirectoryNotFoundException]
    $absent -or $cause -is [System.NotSupportedException] -or $cause.HResult -eq $diskFull
}

function Get-NodeStatusCode {
    # The HTTP status code, or 0 without a response.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [System.Management.Automation.ErrorRecord] $ErrorRecord)

    for ($next = $ErrorRecord.Exception; $null -ne $next; $next = $next.InnerException) {
        if ($next -is [System.Net.WebException] -and $null -ne $next.Response) {
            return [int]$next.Response.StatusCode
        }
    }
    0
}

function Receive-NodePart {
    # One attempt to download the missing part of a file. Returns whether it resumed.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [long] $Most,
        [Parameter(Mandatory = $true)] [bool] $Pinned
    )

    $path = Resolve-NodePath -LiteralPath $LiteralPath
    $uri = New-Object -TypeName System.Uri -ArgumentList $Url
    if ($uri.IsFile) {
        Receive-NodeCopy -LiteralPath $uri.LocalPath -Destination $LiteralPath -Most $Most
        return $false
    }
    $have = [long]0
    if ([System.IO.File]::Exists($path)) { $have = (Get-Item -LiteralPath $LiteralPath).Length }
    try {
        $response = Get-NodeResponse -Url $Url -Offset $have -Pinned $Pinned
    } catch {
        # The file is at least as long as the one on the server, but has another checksum.
        if ((Get-NodeStatusCode -ErrorRecord $_) -eq 416) { Clear-NodePath -LiteralPath $LiteralPath }
        throw
    }
    try {
        $range = "$($response.Headers['Content-Range'])"
        $resumes = [int]$response.StatusCode -eq 206 -and $range.StartsWith("bytes $have-")
        $mode = if ($resumes) { 'Append' } else { 'Create' }
        $file = [System.IO.File]::Open($path, $mode, 'Write', 'None')
        try {
            $start = $file.Position
            $stream = $response.GetResponseStream()
            Write-NodeStream -From $stream -To $file -Length $response.ContentLength -Most $Most
            $count = $file.Position - $start
        } finally {
            $file.Dispose()
        }
        # .NET Framework treats a broken connection as the end of the file.
        if ($response.ContentLength -ge 0 -and $count -ne $response.ContentLength) {
            throw "the connection closed after $count of $($response.ContentLength) bytes"
        }
    } finally {
        $response.Close()
    }
    $resumes
}

function Receive-NodeCopy {
    # Copies a file of a folder or a share.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination,
        [Parameter(Mandatory = $true)] [long] $Most
    )

    $from = [System.IO.File]::Open((Resolve-NodePath -LiteralPath $LiteralPath), 'Open', 'Read', 'Read')
    try {
        $to = [System.IO.File]::Open((Resolve-NodePath -LiteralPath $Destination), 'Create', 'Write', 'None')
        try {
            Write-NodeStream -From $from -To $to -Length $from.Length -Most $Most
        } finally {
            $to.Dispose()
        }
    } finally {
        $from.Dispose()
    }
}
