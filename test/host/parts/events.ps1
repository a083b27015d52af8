# Event logs: an empty one is an error to Get-WinEvent, and so is one that is not there.

function Get-WinEvent {
    [CmdletBinding()]
    param([hashtable] $FilterHashtable, [int] $MaxEvents)

    if ($FilterHashtable.LogName -ne 'System') {
        Write-Error -Message "There is not an event log on the localhost computer that matches `"$($FilterHashtable.LogName)`"."
        return
    }
    $events = @($script:Machine.Events | Select-Object -Last $MaxEvents)
    if ($events.Count -eq 0) {
        Write-Error -Message 'No events were found that match the specified selection criteria.'
        return
    }
    foreach ($message in $events) {
        [pscustomobject]@{
            TimeCreated = $script:Epoch; ProviderName = 'Service Control Manager'; Id = 7031; LevelDisplayName = 'Error'
            Message = $message
        }
    }
}
