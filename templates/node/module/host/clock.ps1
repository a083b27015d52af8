# The one clock: nothing else in this module reads the time, or lets it pass.

function Read-NodeClock {
    # The time as UTC, after a wait of so many seconds.
    [CmdletBinding()]
    [OutputType([DateTime])]
    param([Parameter()] [double] $After = 0)

    if ($After -gt 0) { Start-Sleep -Milliseconds ([int]($After * 1000)) }
    [DateTime]::UtcNow
}
