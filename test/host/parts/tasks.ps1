# Scheduled tasks: a second one of a name needs -Force.

function New-ScheduledTaskTrigger {
    [CmdletBinding()]
    param([switch] $AtStartup, [switch] $Once, [datetime] $At, [timespan] $RepetitionInterval, [timespan] $RandomDelay)

    if ($AtStartup) { return [pscustomobject]@{ Kind = 'MSFT_TaskBootTrigger'; Enabled = $true; Delay = $null; Repetition = $null } }
    $interval = [System.Xml.XmlConvert]::ToString($RepetitionInterval)
    [pscustomobject]@{ Kind = 'MSFT_TaskTimeTrigger'; Enabled = $true; RandomDelay = $(if ($RandomDelay) { [System.Xml.XmlConvert]::ToString($RandomDelay) }); Repetition = @{ Interval = $interval; Duration = $null } }
}

function Get-CimClass {
    # Of an event trigger, which no cmdlet makes. https://learn.microsoft.com/windows/win32/taskschd/eventtrigger
    [CmdletBinding()]
    param([string] $ClassName, [string] $Namespace)

    if ($ClassName -ne 'MSFT_TaskEventTrigger' -or $Namespace -ne 'Root/Microsoft/Windows/TaskScheduler') { throw 'Not found' }
    [pscustomobject]@{ CimClassName = $ClassName }
}

function New-CimInstance {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([object] $CimClass, [switch] $ClientOnly)

    if (-not $ClientOnly) { throw 'nothing stands in for New-CimInstance on a server' }
    [pscustomobject]@{ Kind = $CimClass.CimClassName; Enabled = $null; Delay = $null; Subscription = $null; Repetition = $null }
}

function Send-HostTaskEvent {
    # An event: the task starts where a trigger asks for it, after its delay; not while it runs (IgnoreNew).
    # Which conditions an event meets is read from the text of the query.
    param([string] $Log, [string] $Source, [int] $Id, [string] $Data = '')

    foreach ($trigger in @($script:Machine.Tasks.Values | Where-Object -FilterScript { $_.State -ne 'Disabled' } | ForEach-Object -Process { $_.Triggers })) {
        if (-not $trigger['Subscription']) { continue }
        foreach ($select in ([xml]$trigger.Subscription).QueryList.Query.Select) {
            $text = $select.'#text'
            # A query with an error meets nothing.
            try { $null = [System.Xml.XPath.XPathExpression]::Compile($text) } catch { continue }
            $meets = $select.Path -eq $Log -and $text -match "EventID=$Id\b" -and
            ($text -notmatch "@Name='([^']*)'" -or $Matches[1] -eq $Source) -and
            ($text -notmatch 'Data=' -or $text.Contains("Data='$Data'") -or $text.Contains("Data=`"$Data`""))
            if (-not $meets) { continue }
            $delay = if ($trigger['Delay']) { [System.Xml.XmlConvert]::ToTimeSpan($trigger.Delay).TotalSeconds } else { 0 }
            if ($delay -eq 0 -and $script:Machine.TaskRuns) { continue }
            $script:Machine.Wakes = @($script:Machine.Wakes) + ($script:Machine.Seconds + $delay)
        }
    }
}

function Send-HostServiceEvent {
    # 7031: a process has ended by itself; 7036: a service has another state.
    param([string] $Name, [int] $Id)

    $shown = if ($Name -eq 'hns') { $script:Machine.HnsDisplayName } else { Get-HostServiceValue -Name $Name -Value 'DisplayName' }
    $script:Machine.ServiceEvents += @{ Id = $Id; Name = $shown }
    Send-HostTaskEvent -Log 'System' -Source 'Service Control Manager' -Id $Id -Data $shown
}

function New-ScheduledTaskAction {
    [CmdletBinding()]
    param([string] $Execute, [string] $Argument)

    [pscustomobject]@{ Execute = $Execute; Arguments = $Argument }
}

function New-ScheduledTaskPrincipal {
    [CmdletBinding()]
    param([string] $UserId, [string] $LogonType, [string] $RunLevel)

    [pscustomobject]@{ UserId = $UserId; LogonType = $LogonType; RunLevel = $RunLevel }
}

function New-ScheduledTaskSettingsSet {
    [CmdletBinding()]
    param(
        [switch] $AllowStartIfOnBatteries, [switch] $DontStopIfGoingOnBatteries, [timespan] $ExecutionTimeLimit,
        [string] $MultipleInstances, [int] $Priority = 7
    )

    [pscustomobject]@{
        DisallowStartIfOnBatteries = -not $AllowStartIfOnBatteries
        StopIfGoingOnBatteries = -not $DontStopIfGoingOnBatteries
        ExecutionTimeLimit = [System.Xml.XmlConvert]::ToString($ExecutionTimeLimit)
        MultipleInstances = $MultipleInstances; Priority = $Priority
    }
}

function Register-ScheduledTask {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [string] $TaskName, [string] $TaskPath = '\', [string] $Description, [object[]] $Action, [object[]] $Trigger,
        [object] $Principal, [object] $Settings, [switch] $Force
    )

    Add-HostCall -Text "Register-ScheduledTask $TaskName"
    if (-not (Assert-HostFunction -On 'Register-ScheduledTask' -Bound $PSBoundParameters)) { return }
    if ($script:Machine.Tasks.ContainsKey($TaskName) -and -not $Force) {
        throw 'Cannot create a file when that file already exists.'
    }
    # A well-known SID comes back as its name.
    $user = if ($Principal.UserId -eq 'S-1-5-18' -and (Get-HostSwitch -Name 'TaskUserIsName')) { 'SYSTEM' } else { $Principal.UserId }
    $script:Machine.Tasks[$TaskName] = @{
        TaskName = $TaskName; TaskPath = $TaskPath; Description = $Description; State = 'Ready'; User = $user
        LogonType = $Principal.LogonType; RunLevel = $Principal.RunLevel
        Actions = @($Action | ForEach-Object -Process { [ordered]@{ Execute = $_.Execute; Arguments = $_.Arguments } })
        Triggers = @($Trigger | ForEach-Object -Process { ConvertTo-HostTable -InputObject $_ })
        Settings = ConvertTo-HostTable -InputObject $Settings
    }
    Get-ScheduledTask -TaskName $TaskName -TaskPath $TaskPath
}

function ConvertTo-HostTable {
    # The properties of an object as a table, which the machine can keep.
    param([object] $InputObject)

    $table = [ordered]@{}
    foreach ($property in $InputObject.PSObject.Properties) { $table[$property.Name] = $property.Value }
    $table
}

function Get-ScheduledTask {
    [CmdletBinding()]
    param([string] $TaskName, [string] $TaskPath)

    $task = $script:Machine.Tasks[$TaskName]
    if ($null -eq $task) {
        Write-Error -Message "No MSFT_ScheduledTask objects found with property 'TaskName' equal to '$TaskName'."
        return
    }
    [pscustomobject]@{
        TaskName = $TaskName; TaskPath = $task.TaskPath; Description = $task.Description; State = $task.State
        Actions = @($task.Actions | ForEach-Object -Process { [pscustomobject]$_ })
        Triggers = @($task.Triggers | ForEach-Object -Process { [pscustomobject]$_ })
        Settings = [pscustomobject]$task.Settings
        Principal = [pscustomobject]@{ UserId = $task.User; LogonType = $task.LogonType; RunLevel = $task.RunLevel }
    }
}

function Disable-ScheduledTask {
    [CmdletBinding()]
    param([string] $TaskName)

    Add-HostCall -Text "Disable-ScheduledTask $TaskName"
    $script:Machine.Tasks[$TaskName].State = 'Disabled'
}

function Enable-ScheduledTask {
    [CmdletBinding()]
    param([string] $TaskName)

    Add-HostCall -Text "Enable-ScheduledTask $TaskName"
    $script:Machine.Tasks[$TaskName].State = 'Ready'
}

function Unregister-ScheduledTask {
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param([string] $TaskName, [string] $TaskPath)

    Add-HostCall -Text "Unregister-ScheduledTask $TaskName"
    $null = Get-ScheduledTask -TaskName $TaskName -TaskPath $TaskPath
    $script:Machine.Tasks.Remove($TaskName)
}
