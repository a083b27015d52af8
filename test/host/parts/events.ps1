# Event logs: an empty one is an error to Get-WinEvent, and so is a missing one.

function Get-WinEvent {
    # PowerShell's own logs, and whether a log is enabled, are not simulated.
    [CmdletBinding()]
    param([hashtable] $FilterHashtable, [int] $MaxEvents, [string] $ListLog)

    if ($ListLog) { Write-Error -ErrorId NoMatchingLogsFound -Message "There is not an event log on the localhost computer that matches `"$ListLog`"."; return }
    if ($FilterHashtable.LogName -eq 'Application') {
        $all = @($script:Machine.Application)
        for ($at = [math]::Max(0, $all.Count - $MaxEvents); $at -lt $all.Count; $at++) {
            [pscustomobject]@{ TimeCreated = $script:Epoch; ProviderName = 'winnode'; Id = $all[$at].Id; LevelDisplayName = $all[$at].Type; Message = $all[$at].Text; RecordId = $at + 1 }
        }
        return
    }
    if ($FilterHashtable.LogName -eq 'System' -and $FilterHashtable.ContainsKey('Id')) { return Get-HostServiceEvent -Id $FilterHashtable.Id -Newest $MaxEvents }
    if ($FilterHashtable.LogName -ne 'System') {
        Write-Error -ErrorId NoMatchingLogsFound -Message "There is not an event log on the localhost computer that matches `"$($FilterHashtable.LogName)`"."
        return
    }
    $events = @($script:Machine.Events | Select-Object -Last $MaxEvents)
    if ($events.Count -eq 0) {
        Write-Error -ErrorId NoMatchingEventsFound -Message 'No events were found that match the specified selection criteria.'
        return
    }
    foreach ($message in $events) {
        [pscustomobject]@{
            TimeCreated = $script:Epoch; ProviderName = 'Service Control Manager'; Id = 7031; LevelDisplayName = 'Error'
            Message = $message
        }
    }
}

function Get-HostServiceEvent {
    # Events of the service control manager with these numbers, the newest first; the first datum is the display name.
    # https://learn.microsoft.com/previous-versions/windows/it-pro/windows-server-2008-R2-and-2008/cc756308(v=ws.10)
    param([int[]] $Id, [int] $Newest)

    $all = @($script:Machine.ServiceEvents)
    for ($at = $all.Count; $at -gt 0; $at--) {
        if ($all[$at - 1].Id -notin $Id -or $Newest-- -le 0) { continue }
        [pscustomobject]@{ ProviderName = 'Service Control Manager'; Id = $all[$at - 1].Id; RecordId = $at; Properties = @([pscustomobject]@{ Value = $all[$at - 1].Name }) }
    }
}

function Add-HostEvent {
    # An event in the log Application. An unknown source is registered by the first event.
    param([int] $Id, [string] $Type, [string] $Text)

    Assert-HostHealth -On 'WriteEntry'
    $key = 'SYSTEM\CurrentControlSet\Services\EventLog\Application\winnode'
    if ($null -eq [WinNodeHost.Registry]::Get($key, 'EventMessageFile')) {
        [WinNodeHost.Registry]::Set($key, 'EventMessageFile', 'ExpandString', '%SystemRoot%\Microsoft.NET\Framework64\v4.0.30319\EventLogMessages.dll')
    }
    Send-HostTaskEvent -Log 'Application' -Source 'winnode' -Id $Id
    $script:Machine.Application += @{ Id = $Id; Type = $Type; Text = $Text }
}

# What was written there.
function Get-HostApplicationLog { $script:Machine.Application }
