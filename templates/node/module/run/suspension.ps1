# Whether a person has asked the loop to keep its hands off, and until when.

function Save-NodeSuspension {
    # Notes that the loop does nothing for so many minutes; none at all ends it.
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
    # Until when the loop does nothing, or an empty text. A clock that was set back does not prolong it.
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
