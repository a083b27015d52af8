# Suspends the reconcile loop for a time.

function Save-NodeSuspension {
    # Suspends the reconcile loop for so many minutes; 0 resumes it.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [int] $Minutes)

    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $now = Read-NodeClock
    $ends = foreach ($moment in $now, $now.AddMinutes($Minutes)) {
        $moment.ToString('yyyy-MM-ddTHH:mm:ssZ', $invariant)
    }
    $script:Run.State['suspended'] = if ($Minutes -gt 0) { $ends -join '/' } else { '' }
    Save-NodeState
}

function Get-NodeSuspension {
    # The end of the suspension, or an empty string. Setting the clock back does not prolong it.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $ends = @("$($script:Run.State['suspended'])" -split '/')
    if ($ends.Count -ne 2) { return '' }
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $from, $until = foreach ($end in $ends) { [DateTimeOffset]::Parse($end, $invariant).UtcDateTime }
    $now = Read-NodeClock
    if ($now -ge $from -and $now -lt $until) { $ends[1] } else { '' }
}
