# Writes the body of a response to a file, and reports progress.

function Write-NodeStream {
    # Writes the body of a response to a file, and prints progress. Length is -1 if the server does not send it. A
    # body that is too large fails for good; one that is too slow is retried.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [System.IO.Stream] $From,
        [Parameter(Mandatory = $true)] [System.IO.Stream] $To,
        [Parameter(Mandatory = $true)] [long] $Length,
        # Maximum size of the file in bytes.
        [Parameter(Mandatory = $true)] [long] $Most
    )

    $all = if ($Length -ge 0) { " of $([math]::Ceiling(($To.Position + $Length) / 1MB))" } else { '' }
    Assert-NodeSize -Size ($To.Position + $Length) -Most $Most
    $buffer = New-Object -TypeName 'byte[]' -ArgumentList 1MB
    $told = Read-NodeClock
    $since = $told
    $had = $To.Position
    while (($count = $From.Read($buffer, 0, $buffer.Length)) -gt 0) {
        Assert-NodeSize -Size ($To.Position + $count) -Most $Most
        $To.Write($buffer, 0, $count)
        $now = Read-NodeClock
        if (($now - $since).TotalSeconds -ge $script:Limit.SlowSeconds) {
            $came = $To.Position - $had
            if ($came -lt $script:Limit.SlowBytes) {
                $slow = 'too slow: {0} KiB in {1} seconds'
                throw ($slow -f [math]::Floor($came / 1KB), [math]::Floor(($now - $since).TotalSeconds))
            }
            $since = $now
            $had = $To.Position
        }
        if (($now - $told).TotalSeconds -lt $script:Limit.TellSeconds) { continue }
        $told = $now
        $far = '{0}{1} MiB' -f [math]::Floor($To.Position / 1MB), $all
        Write-NodeRow -Place $script:Run.Place -State '' -Id $far -Text ''
    }
}

function Assert-NodeSize {
    # Throws if a file is too large; a retry is useless after this type of exception.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [long] $Size,
        [Parameter(Mandatory = $true)] [long] $Most
    )

    if ($Size -le $Most) { return }
    $text = 'larger than {0} KiB' -f [math]::Floor($Most / 1KB)
    throw (New-Object -TypeName System.NotSupportedException -ArgumentList $text)
}
