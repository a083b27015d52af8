# The scheduled tasks of the kind bootTask.

function Get-NodeTaskWish {
    # The tasks of a step: one at each start; one every hour where a log needs rotating.
    [CmdletBinding()]
    [OutputType([object[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $call = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File "{0}\Install-WinNode.ps1" -Phase {1}'
    [ordered]@{
        name        = $Step['name']
        description = $Step['description']
        arguments   = $call -f $Step['path'], 'boot'
        trigger     = 'start'
        # Again a little later: what a start needs may come late, a network card for one. The scheduler tries
        # anew what it could not start, not what ended with an error. Where all is well, nothing is changed.
        # https://learn.microsoft.com/openspecs/windows_protocols/ms-tsch/2ff4aa5a-7bc4-449f-bbb1-27475645867f
        delays      = '', 'PT2M', 'PT5M', 'PT15M'
    }
    if (@(Get-NodeLogStep).Count -eq 0) { return }
    [ordered]@{
        name        = '{0}-logs' -f $Step['name']
        description = 'Rotates logs that nothing else rotates, managed by winnode.'
        arguments   = $call -f $Step['path'], 'logs'
        trigger     = 'hour'
        delays      = @('')
    }
}

function Get-NodeShell {
    # Windows PowerShell, by its whole path.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    '{0}\System32\WindowsPowerShell\v1.0\powershell.exe' -f $env:SystemRoot
}

function Test-NodeTask {
    # True when a task runs our script as SYSTEM, when it should.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish)

    $task = Get-ScheduledTask -TaskName $Wish['name'] -TaskPath '\' -ErrorAction SilentlyContinue
    if ($null -eq $task) {
        Write-NodeDetail -Text "there is no task $($Wish['name'])"
        return $false
    }
    $found = @(
        @($task.Actions | ForEach-Object -Process { $_.Execute, $_.Arguments })
        $task.Description, $task.Principal.LogonType, $task.Principal.RunLevel
        # Only a trigger at start has a delay.
        @($task.Triggers | ForEach-Object -Process {
                if ($_.PSObject.Properties.Name -contains 'Delay') { "$($_.Delay)" } else { '' }
            } | Sort-Object)
        $task.Settings.DisallowStartIfOnBatteries, $task.Settings.StopIfGoingOnBatteries
    ) -join "`n"
    $wanted = @(
        (Get-NodeShell), $Wish['arguments']
        $Wish['description'], 'ServiceAccount', 'Highest'
        @($Wish['delays'] | Sort-Object)
        $false, $false
    ) -join "`n"
    $same = $found -eq $wanted -and "$($task.State)" -ne 'Disabled'
    if (-not $same) { Write-NodeDetail -Text "the task $($Wish['name']) is another" }
    $same
}

function Register-NodeTask {
    # Registers a task, in place of an earlier one of its name.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish)

    $trigger = if ($Wish['trigger'] -eq 'start') {
        foreach ($delay in $Wish['delays']) {
            $each = New-ScheduledTaskTrigger -AtStartup
            if ($delay -ne '') { $each.Delay = $delay }
            $each
        }
    } else {
        $since = New-Object -TypeName System.DateTime -ArgumentList 2000, 1, 1
        New-ScheduledTaskTrigger -Once -At $since -RepetitionInterval (New-TimeSpan -Hours 1)
    }
    $settings = @{
        # Not the defaults, and a server behind a small power supply is one on batteries.
        # https://learn.microsoft.com/windows/win32/taskschd/tasksettings-disallowstartifonbatteries
        AllowStartIfOnBatteries    = $true
        DontStopIfGoingOnBatteries = $true
        ExecutionTimeLimit         = New-TimeSpan -Minutes 30
        MultipleInstances          = 'IgnoreNew'
    }
    $task = @{
        TaskName    = $Wish['name']
        TaskPath    = '\'
        Description = $Wish['description']
        Action      = New-ScheduledTaskAction -Execute (Get-NodeShell) -Argument $Wish['arguments']
        Trigger     = $trigger
        Principal   = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount -RunLevel Highest
        Settings    = New-ScheduledTaskSettingsSet @settings
        Force       = $true
    }
    $null = Register-ScheduledTask @task
}
