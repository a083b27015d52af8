# The service manager's recovery: starts a service again whose process has ended by itself.

# https://learn.microsoft.com/windows/win32/api/winsvc/ns-winsvc-service_failure_actionsw : the Nth failure since the
# count was last set back takes the Nth action; beyond them, the last one. No run on Windows stands behind this.

function Stop-HostProcess {
    # A service's process ends by itself; why stands in the event log.
    param([string] $Name, [string] $Message)

    $script:Machine.Events += "$Name : $Message"
    $script:Machine.Running.Remove($Name)
    $script:Machine.Wrapped.Remove($Name)
    Send-HostServiceEvent -Name $Name -Id 7031
    if (Get-HostSwitch -Name 'ServiceIsRecovered') { Restore-HostService -Name $Name }
}

function Restore-HostService {
    # Plans what the service manager does about a failure.
    param([string] $Name)

    $bytes = Get-HostServiceValue -Name $Name -Value 'FailureActions'
    if ($null -eq $bytes -or $bytes.Count -lt 28) { return }
    $reset, $count = [System.BitConverter]::ToInt32($bytes, 0), [System.BitConverter]::ToInt32($bytes, 12)
    $now = $script:Machine.Seconds
    $failures = @(@($script:Machine.Failures[$Name]) | Where-Object -FilterScript { $null -ne $_ })
    # Set back after so many seconds without a failure.
    if ($failures.Count -gt 0 -and $now - $failures[-1] -ge $reset) { $failures = @() }
    $script:Machine.Failures[$Name] = @($failures + $now)
    $at = 20 + 8 * [math]::Min($failures.Count, $count - 1)
    if ([System.BitConverter]::ToInt32($bytes, $at) -ne 1) { return }
    Add-HostDue -After ([System.BitConverter]::ToInt32($bytes, $at + 4) / 1000) -Name 'service-again' -Subject $Name
}

$script:Happening['service-again'] = {
    param($Name)
    if ($Name -notin @(Get-HostServiceName) -or $script:Machine.Running.ContainsKey($Name)) { return }
    try { Start-HostService -Name $Name } catch { $script:Machine.Events += "$Name : $_" }
}
