# The scheduled task of the kind bootTask, which runs the reconcile loop.

# The priority of an ordinary process. The default is below it, so pods would slow the loop down.
# https://learn.microsoft.com/windows/win32/taskschd/tasksettings-priority
$script:TaskPriority = 4

function Get-NodeExpectedTask {
    # The expected task of a step: it runs at each boot, when something happens, and at intervals.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $call = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File "{0}\Install-WinNode.ps1" -Phase boot'
    [ordered]@{
        name        = $Step['name']
        description = $Step['description']
        arguments   = $call -f $Step['path']
        triggers    = @(Get-NodeExpectedTrigger)
    }
}

function Get-NodeShell {
    # The full path of Windows PowerShell.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    '{0}\System32\WindowsPowerShell\v1.0\powershell.exe' -f $env:SystemRoot
}

function Test-NodeTask {
    # True if the task runs the copied script as SYSTEM, at the expected times.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish)

    $task = Get-ScheduledTask -TaskName $Wish['name'] -TaskPath '\' -ErrorAction SilentlyContinue
    if ($null -eq $task) {
        Write-NodeDetail -Text "the task $($Wish['name']) is missing"
        return $false
    }
    $found = @(
        @($task.Actions | ForEach-Object -Process { $_.Execute, $_.Arguments })
        $task.Description, $task.Principal.LogonType, $task.Principal.RunLevel
        @($task.Triggers | ForEach-Object -Process { ConvertTo-NodeTrigger -Trigger $_ } | Sort-Object)
        $task.Settings.DisallowStartIfOnBatteries, $task.Settings.StopIfGoingOnBatteries, $task.Settings.Priority
    ) -join "`n"
    $wanted = @(
        (Get-NodeShell), $Wish['arguments']
        $Wish['description'], 'ServiceAccount', 'Highest'
        @($Wish['triggers'] | Sort-Object)
        $false, $false, $script:TaskPriority
    ) -join "`n"
    $same = $found -eq $wanted -and "$($task.State)" -ne 'Disabled'
    if (-not $same) { Write-NodeDetail -Text "the task $($Wish['name']) differs" }
    $same
}

function Register-NodeTask {
    # Registers a task, and replaces an earlier one of the same name.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish)

    $settings = @{
        # Not the defaults: a server on a small UPS may count as running on batteries.
        # https://learn.microsoft.com/windows/win32/taskschd/tasksettings-disallowstartifonbatteries
        AllowStartIfOnBatteries    = $true
        DontStopIfGoingOnBatteries = $true
        ExecutionTimeLimit         = New-TimeSpan -Minutes 30
        Priority                   = $script:TaskPriority
        MultipleInstances          = 'IgnoreNew'
    }
    $action = @{ Execute = Get-NodeShell; Argument = $Wish['arguments'] }
    $principal = @{ UserId = 'S-1-5-18'; LogonType = 'ServiceAccount'; RunLevel = 'Highest' }
    $task = @{
        TaskName    = $Wish['name']
        TaskPath    = '\'
        Description = $Wish['description']
        Action      = New-ScheduledTaskAction @action -ErrorAction Stop
        Trigger     = @(Get-NodeLoopTrigger)
        Principal   = New-ScheduledTaskPrincipal @principal -ErrorAction Stop
        Settings    = New-ScheduledTaskSettingsSet @settings -ErrorAction Stop
        Force       = $true
    }
    $null = Register-ScheduledTask @task -ErrorAction Stop
}

function Unregister-NodeTask {
    # Removes a task; does nothing without a name.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Name)

    if ($Name -eq '') { return }
    $task = Get-ScheduledTask -TaskName $Name -TaskPath '\' -ErrorAction SilentlyContinue
    if ($null -eq $task) { return }
    Unregister-ScheduledTask -TaskName $Name -TaskPath '\' -Confirm:$false -ErrorAction Stop
}

function Get-NodeFormerTask {
    # The name of the hourly log rotation task of an earlier bundle, or an empty string. A task that does not run
    # winnode's copy of a bundle is not winnode's.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = '{0}-logs' -f $Step['name']
    $task = Get-ScheduledTask -TaskName $name -TaskPath '\' -ErrorAction SilentlyContinue
    if ($null -eq $task) { return '' }
    $ours = @($task.Actions | Where-Object -FilterScript { "$($_.Arguments)".Contains("$($Step['path'])\") })
    if ($ours.Count -gt 0) { $name } else { '' }
}
