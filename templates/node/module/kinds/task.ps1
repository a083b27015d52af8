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
    }
    if (@(Get-NodeLogStep).Count -eq 0) { return }
    [ordered]@{
        name        = '{0}-logs' -f $Step['name']
        description = 'Rotates logs that nothing else rotates, managed by winnode.'
        arguments   = $call -f $Step['path'], 'logs'
        trigger     = 'hour'
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
        $task.Description, $task.Principal.LogonType, $task.Principal.RunLevel, @($task.Triggers).Count
    ) -join "`n"
    $wanted = @(
        (Get-NodeShell), $Wish['arguments']
        $Wish['description'], 'ServiceAccount', 'Highest', 1
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
        New-ScheduledTaskTrigger -AtStartup
    } else {
        $since = New-Object -TypeName System.DateTime -ArgumentList 2000, 1, 1
        New-ScheduledTaskTrigger -Once -At $since -RepetitionInterval (New-TimeSpan -Hours 1)
    }
    # What a start needs may come late, a network card for one: three more attempts, a minute apart.
    $settings = @{
        RestartCount       = 3
        RestartInterval    = New-TimeSpan -Minutes 1
        ExecutionTimeLimit = New-TimeSpan -Minutes 30
        MultipleInstances  = 'IgnoreNew'
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
