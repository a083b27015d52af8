# Runs the scripts of a bundle as a person does, and keeps what they gave. Not in the module: a script that a
# module starts would see the module's variables as its own.

function Invoke-HostScript {
    # Runs an entry script: its exit code, its JSON, its console output, and the requested changes.
    param([string] $Name, [hashtable] $Parameter = @{}, [string] $Bundle = 'C:\win-node')

    Clear-HostCall
    $global:LASTEXITCODE = -1
    # PATH is a variable of this process, too.
    $path = $env:Path
    # Its own copy of the bundle is what its task runs, as SYSTEM.
    $runs = if ($Bundle -like 'C:\ProgramData\*') { 'S-1-5-18' } else { '' }
    Set-HostFact -Name Runs -Value $runs
    try {
        $said = @(& "$Bundle\$Name-WinNode.ps1" @Parameter 2>&1 3>&1 6>&1)
    } finally {
        $env:Path = $path
    }
    $code = $global:LASTEXITCODE
    $errors = @($said | Where-Object -FilterScript { $_ -is [System.Management.Automation.ErrorRecord] })
    $talk = @($said | Where-Object -FilterScript { $_ -is [System.Management.Automation.InformationRecord] })
    $text = @($said | Where-Object -FilterScript { $_ -is [string] }) -join "`n"
    @{
        code = $code; at = $(& (Get-Module -Name host) { $script:Machine.Seconds }); text = $text; talk = @($talk | ForEach-Object -Process { "$_" })
        errors = @($errors | ForEach-Object -Process { "$_" }); calls = @(Get-HostCall); programs = @(Get-HostStarted)
        writes = [WinNodeHost.Registry]::Writes
    }
}

function Invoke-HostTask {
    # Time passes until the loop's task is due, at a start of the machine or at one of its times, and what it runs runs.
    $task = Get-ScheduledTask -TaskName 'winnode-boot' -ErrorAction SilentlyContinue
    & (Get-Module -Name host) {
        param($Task)
        $machine = $script:Machine
        $every = @($Task.Triggers | Where-Object -FilterScript { $null -ne $_.Repetition })[0].Repetition.Interval
        $seconds = [System.Xml.XmlConvert]::ToTimeSpan($every).TotalSeconds
        $started = $machine.Boot -gt $machine.Tasked
        # At a start it runs some seconds after services do; else at its next time, or at an event before that.
        $next = $machine.Seconds + $seconds - $machine.Seconds % $seconds
        while (-not $started -and $machine.Seconds -lt $next) {
            $first = $machine.Wakes | Sort-Object | Select-Object -First 1
            if ($null -ne $first -and $first -le $machine.Seconds) { break }
            $until = if ($null -ne $first -and $first -lt $next) { $first } else { $next }
            # In parts: what happens meanwhile may be such an event.
            Start-Sleep -Seconds ([math]::Min($until - $machine.Seconds, 10))
        }
        $machine.Wakes = @($machine.Wakes | Where-Object -FilterScript { $_ -gt $machine.Seconds })
        $machine.TaskRuns = $true
        $machine.Tasked = $machine.Seconds
    } $task
    $file = [regex]::Match($task.Actions[0].Arguments, '-File "(?<folder>[^"]+)\\(?<name>\w+)-WinNode\.ps1" -Phase (?<phase>\w+)$')
    $call = @{ Phase = $file.Groups['phase'].Value; AsJson = $true }
    try {
        Invoke-HostScript -Name $file.Groups['name'].Value -Parameter $call -Bundle $file.Groups['folder'].Value
    } finally {
        Set-HostFact -Name TaskRuns -Value $false
    }
}

function Start-ScheduledTask {
    # It runs at once; a script that asks for its state finds that it has ended.
    [CmdletBinding()]
    param([string] $TaskName)

    $null = Get-ScheduledTask -TaskName $TaskName
    & (Get-Module -Name host) { $script:Machine.Wakes = @($script:Machine.Wakes) + $script:Machine.Seconds }
    $null = Invoke-HostTask
}

function Get-ScheduledTaskInfo {
    # When it last started; one that is due starts first, unless it is disabled.
    [CmdletBinding()]
    param([string] $TaskName)

    $task = Get-ScheduledTask -TaskName $TaskName
    $due = & (Get-Module -Name host) {
        $first = $script:Machine.Wakes | Sort-Object | Select-Object -First 1
        $null -ne $first -and $first -le $script:Machine.Seconds -and -not $script:Machine.TaskRuns
    }
    if ($due -and $task.State -ne 'Disabled') { $null = Invoke-HostTask }
    $seconds = & (Get-Module -Name host) { $script:Machine.Tasked }
    [pscustomobject]@{ TaskName = $TaskName; LastRunTime = [DateTime]::new(2026, 1, 1, 0, 0, 0, [DateTimeKind]::Utc).AddSeconds($seconds) }
}
