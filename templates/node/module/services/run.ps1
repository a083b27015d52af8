# Stops and starts services, and remembers which are to run again.

function Get-NodeServiceToStop {
    # Those of the given services that run, and before them those that need them; last in node.json first.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Name)

    $wanted = New-Object -TypeName System.Collections.ArrayList -ArgumentList (, $Name)
    $services = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['kind'] -ceq 'service' })
    # A service stands after those it needs.
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
    # Stops services, and remembers on the disk that they are to run again when this run ends.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Name)

    $stop = @(Get-NodeServiceToStop -Name $Name)
    if ($stop.Count -eq 0) { return }
    $script:Run.State['stopped'] = @(@($script:Run.State['stopped']) + $stop | Select-Object -Unique)
    Save-NodeState
    foreach ($service in $stop) { Close-NodeService -Name $service }
}

function Resume-NodeService {
    # Starts what Suspend-NodeService stopped, in this run or in one that was cut off. What goes only with a
    # restart of the machine, and what needs it, is left for the run after that.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $stopped = @($script:Run.State['stopped'])
    if ($stopped.Count -eq 0) { return }
    $waits = @(Get-NodeRestart)
    $left = @()
    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'service' -or $stopped -notcontains $step['name']) { continue }
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
    # Whether nothing is left to stop. nssm pauses one whose program keeps ending, and starts it again later:
    # https://nssm.cc/usage
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    (Get-NodeServiceStatus -Name $Name) -in '', 'Stopped'
}

function Close-NodeService {
    # Stops a service and waits until it has stopped.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (Test-NodeServiceStopped -Name $Name) { return }
    Write-NodeLog -Level info -Step '' -Message "stopping the service $Name"
    # Without -NoWait it waits without end for one that hangs.
    # https://learn.microsoft.com/powershell/module/microsoft.powershell.management/stop-service
    Stop-Service -Name $Name -Force -NoWait
    # One that was marked for deletion is gone once it has stopped.
    $stopped = Wait-NodeCondition -Seconds $script:Limit.ServiceSeconds -Condition {
        Test-NodeServiceStopped -Name $Name
    }
    if (-not $stopped) { throw "the service $Name does not stop" }
}

function Open-NodeService {
    # Starts a service and waits until it runs.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    if (Test-NodeServiceActive -Name $Name) { return }
    # A pause of nssm may last for minutes, and grows.
    if ((Get-NodeServiceStatus -Name $Name) -eq 'Paused') { Close-NodeService -Name $Name }
    Write-NodeLog -Level info -Step '' -Message "starting the service $Name"
    try {
        Start-Service -Name $Name
    } catch {
        if ((Get-NodeServiceStatus -Name $Name) -ne 'Paused') { throw }
        throw "the program of the service $Name ends as soon as it has started; its log says why"
    }
    if (-not (Wait-NodeCondition -Seconds $Seconds -Condition { Test-NodeServiceActive -Name $Name })) {
        throw "the service $Name does not run after $Seconds s"
    }
}
