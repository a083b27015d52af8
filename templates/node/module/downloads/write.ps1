# Writes what a server sends, and says how far it is.

function Write-NodeStream {
    # Writes what a server sends to a file, and tells a person now and then how far it is. The length is -1 where
    # the server does not say it.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.IO.Stream] $From,
        [Parameter(Mandatory = $true)] [System.IO.Stream] $To,
        [Parameter(Mandatory = $true)] [long] $Length
    )

    $all = if ($Length -ge 0) { " of $([math]::Ceiling(($To.Position + $Length) / 1MB))" } else { '' }
    $buffer = New-Object -TypeName 'byte[]' -ArgumentList 1MB
    $told = Read-NodeClock
    while (($count = $From.Read($buffer, 0, $buffer.Length)) -gt 0) {
        $To.Write($buffer, 0, $count)
        if (((Read-NodeClock) - $told).TotalSeconds -lt $script:Limit.TellSeconds) { continue }
        $told = Read-NodeClock
        $far = '{0}{1} MiB' -f [math]::Floor($To.Position / 1MB), $all
        Write-NodeRow -Place $script:Run.Place -State '' -Id $far -Text ''
    }
}
