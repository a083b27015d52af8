# Suspends the reconcile loop for a time.

function Save-NodeSuspension {
    # Suspends the reconcile loop for so many minutes; 0 resumes it.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [int] $Minutes)

    $now = Read-NodeClock
    $ends = foreach ($moment in $now, $now.AddMinutes($Minutes)) {
        $moment.ToString('yyyy-MM-ddTHH:mm:ssZ', $script:Invariant)
    }
    $script:Run.State['suspended'] = if ($Minutes -gt 0) { $ends -join '/' } else { '' }
    Save-NodeState
}
