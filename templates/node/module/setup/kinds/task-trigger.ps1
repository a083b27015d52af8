# When the scheduled task runs: at each boot, when something happens, and at intervals.

# Minutes between two runs of the reconcile loop, and the longest random delay of one. With the run after one that
# found something wrong, they are 34: the pages promise a repair within 35.
$script:LoopMinutes = 30
$script:SpreadMinutes = 2

# Minutes until the next run after one that found something wrong, and the event that starts it.
$script:AgainMinutes = 2
$script:AgainEvent = 120

function Get-NodeExpectedTrigger {
    # The expected triggers, as text.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    # A boot trigger with a repetition would take effect at the next boot only, so the repetition has its own
    # trigger. Task Scheduler retries a task that it could not start, but not one that failed.
    # https://learn.microsoft.com/openspecs/windows_protocols/ms-tsch/2ff4aa5a-7bc4-449f-bbb1-27475645867f
    'at start'
    "every PT$($script:LoopMinutes)M within PT$($script:SpreadMinutes)M"
    "event $(Get-NodeFailureQuery)"
    "event $(Get-NodeAgainQuery) after PT$($script:AgainMinutes)M"
}

function Get-NodeLoopTrigger {
    # The triggers of the task.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    # Nodes begin at different minutes, so that they do not ask the API server at the same time.
    $minute = 0
    foreach ($letter in [char[]](Get-NodeFact -Name 'nodeName')) {
        $minute = ($minute * 7 + [int]$letter) % $script:LoopMinutes
    }
    # Without a duration, the repetition does not end.
    # https://learn.microsoft.com/windows/win32/taskschd/taskschedulerschema-duration-repetitiontype-element
    $every = @{
        At                 = (New-Object -TypeName System.DateTime -ArgumentList 2000, 1, 1) +
        (New-TimeSpan -Minutes $minute)
        RandomDelay        = New-TimeSpan -Minutes $script:SpreadMinutes
        RepetitionInterval = New-TimeSpan -Minutes $script:LoopMinutes
    }
    New-ScheduledTaskTrigger -AtStartup -ErrorAction Stop
    New-ScheduledTaskTrigger -Once @every -ErrorAction Stop
    ConvertTo-NodeEventTrigger -Query (Get-NodeFailureQuery)
    ConvertTo-NodeEventTrigger -Query (Get-NodeAgainQuery) -Delay "PT$($script:AgainMinutes)M"
}

function ConvertTo-NodeQuery {
    # A query for events, as a task's trigger has it: the conditions, each for its log.
    # https://learn.microsoft.com/windows/win32/wes/queryschema-schema
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Condition)

    $selects = foreach ($log in $Condition.Keys) {
        '<Select Path="{0}">*[{1}]</Select>' -f $log, $Condition[$log]
    }
    '<QueryList><Query Id="0">{0}</Query></QueryList>' -f ($selects -join '')
}

function Get-NodeFailureQuery {
    # Stops of HNS and of services that create state in it, and new addresses. Starts and stops in a run do not
    # start another one: the task is running then.
    # https://learn.microsoft.com/windows/win32/taskschd/tasksettings-multipleinstances
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $names = @('hns') + @(foreach ($step in Get-NodeKindStep -Kind serviceRunning) {
            if ((Get-NodeDaemonNetwork -Step $step) -ne '') { $step['name'] }
        })
    $data = foreach ($name in $names) {
        # The events contain the display name, which is translated.
        $service = Get-Service -Name $name -ErrorAction SilentlyContinue
        $shown = if ($null -ne $service) { $service.DisplayName } else { $name }
        # A string of XPath cannot contain its own quote, as in a French display name.
        $quote = if ("$shown".Contains("'")) { '"' } else { "'" }
        "Data=$quote$("$shown" -replace '&', '&amp;' -replace '<', '&lt;')$quote"
    }
    $source = "Provider[@Name='Service Control Manager']"
    $events = 'EventID=7031 or EventID=7034 or EventID=7036'
    ConvertTo-NodeQuery -Condition ([ordered]@{
            'System'                                       =
            "System[$source and ($events)] and EventData[$($data -join ' or ')]"
            'Microsoft-Windows-NetworkProfile/Operational' = 'System[EventID=10000]'
        })
}

function Get-NodeAgainQuery {
    # The event of a run that found something wrong.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    ConvertTo-NodeQuery -Condition @{
        Application = "System[Provider[@Name='$script:EventSource'] and EventID=$script:AgainEvent]"
    }
}

function ConvertTo-NodeTrigger {
    # A trigger as text. Event triggers and boot triggers have a delay, time triggers have none.
    # https://learn.microsoft.com/windows/win32/taskschd/boottrigger
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [object] $Trigger)

    if (-not $Trigger.Enabled) { return 'never' }
    $names = $Trigger.PSObject.Properties.Name
    if ($names -contains 'Subscription') {
        $after = if ($Trigger.Delay) { "after $($Trigger.Delay)" } else { '' }
        return "event $($Trigger.Subscription) $after".Trim()
    }
    if ($names -contains 'Delay') { return "at start $($Trigger.Delay)".Trim() }
    $repetition = $Trigger.Repetition
    if ($null -eq $repetition) { return 'once' }
    $within = if ($Trigger.RandomDelay) { "within $($Trigger.RandomDelay)" } else { '' }
    "every $($repetition.Interval) $($repetition.Duration) $within".Trim() -replace ' +', ' '
}

function ConvertTo-NodeEventTrigger {
    # A trigger that starts the task at an event. No cmdlet creates one.
    # https://learn.microsoft.com/windows/win32/taskschd/eventtrigger
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Query,
        [Parameter()] [string] $Delay = ''
    )

    $class = Get-CimClass -ClassName 'MSFT_TaskEventTrigger' -Namespace 'Root/Microsoft/Windows/TaskScheduler'
    $trigger = New-CimInstance -CimClass $class -ClientOnly
    $trigger.Enabled = $true
    $trigger.Subscription = $Query
    if ($Delay -ne '') { $trigger.Delay = $Delay }
    $trigger
}
