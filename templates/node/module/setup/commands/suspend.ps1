# Suspend-Node: suspends the reconcile loop for a time.

# The longest suspension: a longer one would be forgotten.
$script:SuspensionDays = 7

function Suspend-Node {
    # Suspends the reconcile loop for a time, or resumes it. Suspend-WinNode.ps1 has the help.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter(Mandatory = $true)] [string] $For
    )

    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'suspend the reconcile loop')
    Invoke-NodeRun -Open @{ Path = $Path; Writes = $writes } -Kind NodeResult -RestartExitCode 0 -Body {
        $minutes = ConvertTo-NodeMinute -Text $For
        if ($minutes -lt 0) {
            $message = "-For $For is invalid: use a time such as 30m, 2h or 1d, at most $($script:SuspensionDays)d"
            Add-NodePreflight -Id 'suspension-time' -Verdict fail -Passed $false -Message $message
            $script:Run.Message = $message
            return
        }
        if ($WhatIfPreference) { return }
        $now = Read-NodeClock
        $ends = foreach ($moment in $now, $now.AddMinutes($minutes)) {
            $moment.ToString('yyyy-MM-ddTHH:mm:ssZ', $script:Invariant)
        }
        $script:Run.State['suspended'] = if ($minutes -gt 0) { $ends -join '/' } else { '' }
        Save-NodeState
        $until = Get-NodeSuspension
        $script:Run.Message = if ($until -eq '') { 'the reconcile loop is active' } else {
            "the reconcile loop is suspended until $until"
        }
        Write-NodeLog -Level info -Step '' -Message $script:Run.Message
    }
}

function ConvertTo-NodeMinute {
    # Converts a time such as 30m, 2h or 1d to minutes; -1 if it is invalid or too long.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $parts = [regex]::Match($Text, '^(\d{1,5})([mhd])$')
    if (-not $parts.Success) { return -1 }
    $minutes = [int]$parts.Groups[1].Value * @{ m = 1; h = 60; d = 1440 }[$parts.Groups[2].Value]
    if ($minutes -le 1440 * $script:SuspensionDays) { $minutes } else { -1 }
}
