# nssm: runs a program that is no service as one, and starts it again, with pauses that grow.

# Sources and what they say stand in test/host/README.md. A service under it has a record in the machine's Wrapped:
# Status, Throttle (how often it was started in a row without having lasted), Process (0 where none runs).

function Start-HostWrapped {
    # The service starts: what nssm notes, then its program.
    param([string] $Name)

    $key = "$script:ServiceKey\$Name\Parameters\AppExit"
    if (-not [WinNodeHost.Registry]::Exists($key)) { [WinNodeHost.Registry]::Set($key, '', 'String', 'Restart') }
    Set-HostServiceValue -Name $Name -Value 'FailureActionsOnNonCrashFailures' -Kind DWord -Data 1
    $script:Machine.Running[$Name] = $script:Machine.Seconds
    $script:Machine.Wrapped[$Name] = @{ Status = 'StartPending'; Throttle = 0; Process = 0 }
    Invoke-HostWrapped -Name $Name
}

function Invoke-HostWrapped {
    # start_service: pauses where the last start did not last, then runs the program.
    param([string] $Name)

    $service = $script:Machine.Wrapped[$Name]
    $service.Throttle++
    if ($service.Throttle -eq 1) { return Start-HostWrappedProcess -Name $Name }
    $own = 1000 * [math]::Pow(2, [math]::Min($service.Throttle, 8) - 1)
    $service.Status = 'Paused'
    $pause = [math]::Max($own, [double](Get-HostWrappedValue -Name $Name -Value 'AppRestartDelay' -Default 0)) / 1000
    Add-HostDue -After $pause -Name 'nssm-again' -Subject @{ Name = $Name; Throttle = $service.Throttle }
}

$script:Happening['nssm-again'] = {
    param($Plan)
    $service = $script:Machine.Wrapped[$Plan.Name]
    if ($null -eq $service -or $service.Status -ne 'Paused' -or $service.Throttle -ne $Plan.Throttle) { return }
    Start-HostWrappedProcess -Name $Plan.Name
}

function Get-HostWrappedValue {
    # A value of nssm's own key, or its default.
    param([string] $Name, [string] $Value, [object] $Default = '')

    $data = Get-HostServiceValue -Name $Name -Below 'Parameters' -Value $Value
    if ($null -eq $data) { $Default } else { $data }
}

function Start-HostWrappedProcess {
    # Runs the program. What nssm cannot do ends the service: 2 parameters, 4 log, 3 program.
    param([string] $Name)

    $service = $script:Machine.Wrapped[$Name]
    $service.Status = 'StartPending'
    $program = Get-HostWrappedValue -Name $Name -Value 'Application'
    if ($program -eq '') { return Stop-HostWrapper -Name $Name -Code 2 -Message 'Failed to read parameters' }
    foreach ($stream in 'AppStdout', 'AppStderr') {
        $log = Get-HostWrappedValue -Name $Name -Value $stream
        # It makes the file, not its folder.
        if ($log -and -not (Test-Path -LiteralPath (Split-Path -Path $log))) {
            return Stop-HostWrapper -Name $Name -Code 4 -Message "CreateFile($log) failed: The system cannot find the path specified."
        }
    }
    $folder = Get-HostWrappedValue -Name $Name -Value 'AppDirectory'
    try {
        Assert-HostProgram -Path $program
        if ($folder -and -not (Test-Path -LiteralPath $folder)) { throw 'The directory name is invalid.' }
    } catch {
        return Stop-HostWrapper -Name $Name -Code 3 -Message "Failed to start service $Name. Program $program couldn't be launched: $_"
    }
    $script:Machine.Processes++
    $service.Process = $script:Machine.Processes
    $long = [double](Get-HostWrappedValue -Name $Name -Value 'AppThrottle' -Default 1500) / 1000
    Add-HostDue -After $long -Name 'nssm-lasts' -Subject @{ Name = $Name; Process = $service.Process }
    $arguments = @(Split-HostCommandLine -Text (Get-HostWrappedValue -Name $Name -Value 'AppParameters'))
    try {
        Start-HostProgram -Path $program -Argument $arguments -Name $Name
    } catch {
        Stop-HostWrappedProcess -Name $Name -Message "$_"
    }
}

$script:Happening['nssm-lasts'] = {
    # It has lasted: the service runs, and the next pause is a short one.
    param($Plan)
    $service = $script:Machine.Wrapped[$Plan.Name]
    if ($null -eq $service -or $service.Process -ne $Plan.Process) { return }
    $service.Status = 'Running'
    # A delay that is set is always kept.
    $service.Throttle = if ([int](Get-HostWrappedValue -Name $Plan.Name -Value 'AppRestartDelay' -Default 0) -gt 0) { 1 } else { 0 }
}

function Stop-HostWrappedProcess {
    # end_service: the program has ended; what AppExit says happens.
    param([string] $Name, [string] $Message, [int] $Code = 1)

    $service = $script:Machine.Wrapped[$Name]
    $script:Machine.Events += "$Name : $Message"
    # The service is running for a moment, also where the program has ended within it.
    $service.Status = 'Running'
    $service.Process = 0
    $exit = "$script:ServiceKey\$Name\Parameters\AppExit"
    $action = [WinNodeHost.Registry]::Get($exit, "$Code")
    if ($null -eq $action) { $action = [WinNodeHost.Registry]::Get($exit, '') }
    switch ($action) {
        'Ignore' { return }
        'Exit' { Stop-HostWrapper -Name $Name -Code $Code -Message "program exited with $Code" }
        default { Invoke-HostWrapped -Name $Name }
    }
}

function Stop-HostWrapper {
    # nssm itself exits: the service has stopped, with its own code unless it is 0.
    param([string] $Name, [int] $Code, [string] $Message)

    if ($Code -ne 0) { return Stop-HostProcess -Name $Name -Message $Message }
    $script:Machine.Running.Remove($Name)
    $script:Machine.Wrapped.Remove($Name)
}

function Test-HostWrappedProcess {
    # Whether this process of a service is still the one that runs.
    param([string] $Name, [int] $Process)

    $service = $script:Machine.Wrapped[$Name]
    $null -ne $service -and $service.Process -eq $Process
}

Add-HostProgram -Name 'nssm' -Body {
    # By hand: verbs about services. Without one it shows how it is used, with code 1.
    param($Call)
    $verb, $name = $Call.Argument
    if ($verb -notin 'start', 'stop', 'status') { $Call.Code = 1; $Call.Out += 'NSSM: The non-sucking service manager'; return }
    if ($name -notin @(Get-HostServiceName)) { $Call.Code = 3; throw "Can't open service!" }
    if ($verb -eq 'start') { Start-HostService -Name $name } elseif ($verb -eq 'stop') { Stop-HostService -Name $name }
    $states = @{ Stopped = 'SERVICE_STOPPED'; StartPending = 'SERVICE_START_PENDING'; StopPending = 'SERVICE_STOP_PENDING'; Running = 'SERVICE_RUNNING'; Paused = 'SERVICE_PAUSED' }
    $Call.Out += $states[(Get-HostServiceStatus -Name $name)]
}
