# Event logs: an empty one is an error to Get-WinEvent, and so is a missing one.

function Get-WinEvent {
    [CmdletBinding()]
    param([hashtable] $FilterHashtable, [int] $MaxEvents)

    if ($FilterHashtable.LogName -eq 'Application') {
        foreach ($one in @($script:Machine.Application | Select-Object -Last $MaxEvents)) {
            [pscustomobject]@{ TimeCreated = $script:Epoch; ProviderName = 'winnode'; Id = $one.Id; LevelDisplayName = $one.Type; Message = $one.Text }
        }
        return
    }
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
