# Events in the Windows event log named Application.

# The event source. Install registers it as a registry value; WriteEntry registers it if it is missing.
$script:EventSource = 'winnode'

function Write-NodeEvent {
    # Writes one event. Not with Write-EventLog, which PowerShell 7 lacks; both editions have this type.
    # https://learn.microsoft.com/powershell/scripting/whats-new/differences-from-windows-powershell
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [int] $Id,
        [Parameter(Mandatory = $true)] [ValidateSet('Information', 'Warning', 'Error')] [string] $Type,
        [Parameter(Mandatory = $true)] [string] $Text
    )

    # An event can hold 31839 characters.
    $short = if ($Text.Length -gt 30000) { $Text.Substring(0, 30000) } else { $Text }
    [System.Diagnostics.EventLog]::WriteEntry($script:EventSource, $short, $Type, $Id)
}
