# Reads whether the reconcile loop is suspended.

function Get-NodeSuspension {
    # The end of the suspension, or an empty string. Setting the clock back does not prolong it.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $ends = @("$($script:Run.State['suspended'])" -split '/')
    if ($ends.Count -ne 2) { return '' }
    $from, $until = foreach ($end in $ends) { [DateTimeOffset]::Parse($end, $script:Invariant).UtcDateTime }
    $now = Read-NodeClock
    if ($now -ge $from -and $now -lt $until) { $ends[1] } else { '' }
}
