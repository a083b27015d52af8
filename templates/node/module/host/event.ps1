# Events in the log of Windows named Application.

# The source that Install registers, by a value of the registry. A source without one gets it here.
$script:EventSource = 'winnode'

function Write-NodeEvent {
    # One event. Not Write-EventLog, which PowerShell 7 does not have; this type both have.
    # https://learn.microsoft.com/powershell/scripting/whats-new/differences-from-windows-powershell
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [int] $Id,
        [Parameter(Mandatory = $true)] [ValidateSet('Information', 'Warning', 'Error')] [string] $Type,
        [Parameter(Mandatory = $true)] [string] $Text
    )

    # An event holds 31839 characters.
    $short = if ($Text.Length -gt 30000) { $Text.Substring(0, 30000) } else { $Text }
    [System.Diagnostics.EventLog]::WriteEntry($script:EventSource, $short, $Type, $Id)
}
