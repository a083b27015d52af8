# Stops and starts services, and records which must be started again.

function Get-NodeServiceToStop {
    # The given services that run, preceded by the services that depend on them, in reverse order of node.json.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Name)

    $wanted = New-Object -TypeName System.Collections.ArrayList -ArgumentList (, $Name)
    $services = @(Get-NodeKindStep -Kind service)
    # node.json lists a service after its dependencies.
    foreach ($step in $services) {
        foreach ($need in $step['dependsOn']) {
            $new = $wanted -contains $need -and $wanted -notcontains $step['name']
            if ($new) { $null = $wanted.Add($step['name']) }
        }
    }
    for ($index = $services.Count - 1; $index -ge 0; $index--) {
        $candidate = $services[$index]['name']
        if ($wanted -contains $candidate -and -not (Test-NodeServiceStopped -Name $candidate)) { $candidate }
    }
}

function Suspend-NodeService {
    # Stops services, and records that they must be started again when this run ends.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Name)

    $stop = @(Get-NodeServiceToStop -Name $Name)
    if ($stop.Count -eq 0) { return }
    foreach ($service in $stop) { Assert-NodeRestartLimit -Name $service }
    foreach ($service in $stop) { Add-NodeRestartTime -Name $service }
    $script:Run.State['stopped'] = @(@($script:Run.State['stopped']) + $stop | Select-Object -Unique)
    Save-NodeState
    foreach ($service in $stop) { Close-NodeService -Name $service }
}

function Resume-NodeService {
    # Starts the services that Suspend-NodeService stopped, in this run or in an aborted one. Services that need a
    # restart of the machine first, and services that depend on them, are left for the run after it.
    [CmdletBinding()]
    param()

    $stopped = @($script:Run.State['stopped'])
    if ($stopped.Count -eq 0) { return }
    $waits = @(Get-NodeRestart)
    $left = @()
    foreach ($step in Get-NodeKindStep -Kind service) {
        if ($stopped -notcontains $step['name']) { continue }
        $needs = @($step['dependsOn'] | Where-Object -FilterScript { $left -contains $_ })
        if ($waits -contains $step['id'] -or $needs.Count -gt 0) {
            $left += $step['name']
        } else {
            Open-NodeService -Name $step['name'] -Seconds $script:Limit.ServiceSeconds
        }
    }
    $script:Run.State['stopped'] = $left
    Save-NodeState
}

function Test-NodeServiceStopped {
    # Whether a service is stopped or missing. nssm pauses a service whose program keeps exiting, and starts it
    # later:
    # https://nssm.cc/usage
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    (Get-NodeServiceStatus -Name $Name) -in '', 'Stopped'
}

function Close-NodeService {
    # Stops a service and waits until it has stopped.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (Test-NodeServiceStopped -Name $Name) { return }
    Write-NodeLog -Level info -Step '' -Message "stopping the service $Name"
    # Windows refuses to stop a service that is starting or stopping.
    # https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-controlservice
    $null = Wait-NodeCondition -Seconds $script:Limit.ServiceSeconds -Condition {
        (Get-NodeServiceStatus -Name $Name) -ne 'StartPending'
    }
    # Without -NoWait, it waits without a limit for a service that hangs.
    # https://learn.microsoft.com/powershell/module/microsoft.powershell.management/stop-service
    if ((Get-NodeServiceStatus -Name $Name) -notin '', 'Stopped', 'StopPending') {
        Stop-Service -Name $Name -Force -NoWait
    }
    # A service that was marked for deletion is gone once it has stopped.
    $stopped = Wait-NodeCondition -Seconds $script:Limit.ServiceSeconds -Condition {
        Test-NodeServiceStopped -Name $Name
    }
    if (-not $stopped) { throw "the service $Name did not stop within $($script:Limit.ServiceSeconds) s" }
}

function Open-NodeService {
    # Starts a service and waits until it runs.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    if (Test-NodeServiceActive -Name $Name) { return }
    # A pause of nssm may last for minutes, and grows with each failure. Start-Service fails for a service that is
    # stopping.
    if ((Get-NodeServiceStatus -Name $Name) -in 'Paused', 'StopPending') { Close-NodeService -Name $Name }
    Write-NodeLog -Level info -Step '' -Message "starting the service $Name"
    $script = { param($Name) Start-Service -Name $Name }
    try {
        # It waits without a limit while the service starts.
        Invoke-NodeWithTimeout -Script $script -ArgumentList $Name -Seconds $Seconds
    } catch [System.TimeoutException] {
        throw "the service $Name did not start within $Seconds s"
    } catch {
        if ((Get-NodeServiceStatus -Name $Name) -ne 'Paused') { throw }
        throw "the program of the service $Name exits right after its start; see its log"
    }
    if (-not (Wait-NodeCondition -Seconds $Seconds -Condition { Test-NodeServiceActive -Name $Name })) {
        throw "the service $Name did not start within $Seconds s"
    }
}

function Restart-NodeService {
    # Restarts a service of Windows, and the services that depend on it. HNS, too, may hang when it is stopped.
    # https://github.com/Azure/azure-container-networking/pull/3343
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (-not $PSCmdlet.ShouldProcess($Name, 'restart')) { return }
    $script = { param($Name) Restart-Service -Name $Name -Force }
    try {
        Invoke-NodeWithTimeout -Script $script -ArgumentList $Name -Seconds $script:Limit.ServiceSeconds
    } catch [System.TimeoutException] {
        throw "the service $Name did not restart within $($script:Limit.ServiceSeconds) s"
    }
}
