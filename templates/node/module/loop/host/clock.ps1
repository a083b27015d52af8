# The only clock: all other code of this module gets the time and waits through it.

function Read-NodeClock {
    # The time as UTC, after a wait of so many seconds.
    [CmdletBinding()]
    [OutputType([DateTime])]
    param([Parameter()] [double] $After = 0)

    if ($After -gt 0) { Start-Sleep -Milliseconds ([int]($After * 1000)) }
    [DateTime]::UtcNow
}
