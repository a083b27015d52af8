# Suspend-Node: a person's hands instead of the loop's, for a while.

# What is left alone for longer is forgotten.
$script:SuspensionDays = 7

function Suspend-Node {
    <#
        .SYNOPSIS
            Keeps the loop from doing anything for a while, or lets it work again.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        # How long: 30m, 2h, 1d. 0m ends it.
        [Parameter(Mandatory = $true)] [string] $For
    )

    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'suspend the loop')
    Invoke-NodeRun -Open @{ Path = $Path; Writes = $writes } -Kind NodeResult -RestartExitCode 0 -Body {
        $minutes = ConvertTo-NodeMinute -Text $For
        if ($minutes -lt 0) {
            $message = "-For is written like 30m, 2h or 1d, and is at most $($script:SuspensionDays)d; given: $For"
            Add-NodePreflight -Id 'suspension-time' -Verdict fail -Passed $false -Message $message
            $script:Run.Message = $message
            return
        }
        if ($WhatIfPreference) { return }
        Save-NodeSuspension -Minutes $minutes
        $until = Get-NodeSuspension
        $script:Run.Message = if ($until -eq '') { 'the loop works' } else { "the loop is suspended until $until" }
        Write-NodeLog -Level info -Step '' -Message $script:Run.Message
    }
}

function ConvertTo-NodeMinute {
    # A time as a person writes it: 30m, 2h, 1d; as minutes, and -1 where it is none or too long.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $parts = [regex]::Match($Text, '^(\d{1,5})([mhd])$')
    if (-not $parts.Success) { return -1 }
    $minutes = [int]$parts.Groups[1].Value * @{ m = 1; h = 60; d = 1440 }[$parts.Groups[2].Value]
    if ($minutes -le 1440 * $script:SuspensionDays) { $minutes } else { -1 }
}
