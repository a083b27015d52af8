# The service manager at work: starts, stops and states of services.

function Get-HostServiceStatus {
    # In the words of ServiceControllerStatus.
    param([string] $Name)

    if (-not $script:Machine.Running.ContainsKey($Name)) { return 'Stopped' }
    if ($script:Machine.Stopping -contains $Name) { return 'StopPending' }
    if ($script:Machine.Wrapped.ContainsKey($Name)) { return $script:Machine.Wrapped[$Name].Status }
    'Running'
}

function Stop-HostService {
    # Stops a service; it takes as long as its switch says.
    param([string] $Name)

    if (-not $script:Machine.Running.ContainsKey($Name)) { return }
    # ERROR_SERVICE_CANNOT_ACCEPT_CTRL, which DoStopService of PowerShell does not tolerate:
    # https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-controlservice
    if ((Get-HostServiceStatus -Name $Name) -in 'StartPending', 'StopPending') {
        throw "Service '$Name ($Name)' cannot be stopped due to the following error: Cannot stop $Name service on computer '.'."
    }
    $seconds = Get-HostSwitch -Name 'StopSeconds'
    if ($seconds -eq 0) { return Complete-HostStop -Name $Name }
    $script:Machine.Stopping = @($script:Machine.Stopping) + $Name
    Add-HostDue -After $seconds -Name 'service-stopped' -Subject $Name
}

$script:Happening['service-stopped'] = { param($Name) Complete-HostStop -Name $Name }

function Complete-HostStop {
    # It has stopped; one that is marked for deletion goes once it has no open handle.
    param([string] $Name)

    $script:Machine.Running.Remove($Name)
    $script:Machine.Wrapped.Remove($Name)
    Send-HostServiceEvent -Name $Name -Id 7036
    $script:Machine.Stopping = @($script:Machine.Stopping | Where-Object -FilterScript { $_ -ne $Name })
    $marked = 1 -eq (Get-HostServiceValue -Name $Name -Value 'DeleteFlag')
    if ($marked -and -not $script:Machine.Handles.ContainsKey($Name)) { Remove-HostService -Name $Name }
}

function Wait-HostStop {
    # Stops a service and waits for it.
    param([string] $Name)

    Stop-HostService -Name $Name
    while ($script:Machine.Stopping -contains $Name) { Start-Sleep -Seconds 1 }
}

function Start-HostService {
    # Starts a service after those it needs, and waits until it runs, as Start-Service does.
    param([string] $Name)

    if ((Get-HostServiceStatus -Name $Name) -eq 'Running') { return }
    $refusal = "Service '$Name ($Name)' cannot be started due to the following error: Cannot start service $Name on computer '.'."
    if (-not $script:Machine.Running.ContainsKey($Name)) {
        if ((Get-HostServiceValue -Name $Name -Value 'Start') -eq 4 -or 1 -eq (Get-HostServiceValue -Name $Name -Value 'DeleteFlag')) {
            throw $refusal
        }
        foreach ($need in @(Get-HostServiceValue -Name $Name -Value 'DependOnService')) {
            if ($null -eq $need) { continue }
            if ($need -notin @(Get-HostServiceName)) { throw $refusal }
            Start-HostService -Name $need
        }
        try {
            Assert-HostHealth -On "Start-Service $Name"
            Start-HostDaemon -Name $Name
        } catch {
            $script:Machine.Events += "$Name : $_"
            if (Get-HostSwitch -Name 'StartIsRecovered') { Restore-HostService -Name $Name }
            # Why stands in the event log only.
            throw $refusal
        }
    }
    # One whose process exists is no error: DoStartService of PowerShell goes on to wait for it, two seconds in any
    # state but StartPending.
    # https://github.com/PowerShell/PowerShell/blob/master/src/Microsoft.PowerShell.Commands.Management/commands/management/Service.cs
    for ($passed = 0; (Get-HostServiceStatus -Name $Name) -ne 'Running'; $passed++) {
        $status = Get-HostServiceStatus -Name $Name
        if ($status -eq 'Paused' -and $passed -eq 0 -and -not (Get-HostSwitch -Name 'PausedIsSeen')) { return }
        if ($status -ne 'StartPending' -and $passed -ge 8) { throw "Failed to start service '$Name ($Name)'." }
        Start-Sleep -Milliseconds 250
    }
}
