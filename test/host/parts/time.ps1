# Time that passes only where a script sleeps, and what happens in it; restarts of the machine.

# When the machine's clock begins; a moment of the past, as every boot is.
$script:Epoch = [DateTime]::new(2026, 1, 1, 0, 0, 0, [DateTimeKind]::Utc)

# What can happen later: by name, because a machine is plain data.
$script:Happening = @{}

# Events from outside of the machine: they happen whether it restarts or not.
$script:Outside = 'api-answers', 'cluster-signs', 'script'

$script:Happening['script'] = { param($Text) & ([scriptblock]::Create($Text)) }

function Start-Sleep {
    # Takes no time here.
    [CmdletBinding(DefaultParameterSetName = 'Seconds')]
    param(
        [Parameter(Position = 0, ParameterSetName = 'Seconds')] [double] $Seconds,
        [Parameter(ParameterSetName = 'Milliseconds')] [int] $Milliseconds
    )

    $until = $script:Machine.Seconds + $Seconds + $Milliseconds / 1000
    # Each thing happens at its own time.
    for ($next = Select-HostDue -Until $until; $null -ne $next; $next = Select-HostDue -Until $until) {
        $script:Machine.Seconds = [math]::Max([double]$script:Machine.Seconds, [double]$next.At)
        [WinNodeHost.ApiServer]::Now = Get-HostTrueTime
        & $script:Happening[$next.Name] $next.Subject
    }
    $script:Machine.Seconds = [math]::Max([double]$script:Machine.Seconds, [double]$until)
    [WinNodeHost.ApiServer]::Now = Get-HostTrueTime
}

function Skip-HostTime {
    # A long time passes at once: what is due is due as much later. With a negative number all clocks are set back.
    param([double] $Seconds)

    foreach ($due in $script:Machine.Due) { $due.At += $Seconds }
    $script:Machine.Pipe += [math]::Min(0, $Seconds)
    $script:Machine.Seconds += $Seconds
    [WinNodeHost.ApiServer]::Now = Get-HostTrueTime
}

function Get-HostTime {
    # What the clock of the machine says, as UTC.
    $script:Epoch.AddSeconds($script:Machine.Seconds + $script:Machine.Clock)
}

function Get-HostTrueTime {
    # What all other clocks say: the machine's may be wrong.
    $script:Epoch.AddSeconds($script:Machine.Seconds)
}

function Set-HostClock {
    # Moves the clock of the machine, as a time server does; nothing else happens.
    param([double] $By)

    $script:Machine.Clock += $By
}

function Add-HostDue {
    # Plans something for later.
    param([double] $After, [string] $Name, [object] $Subject)

    $script:Machine.Due += @{ At = $script:Machine.Seconds + $After; Name = $Name; Subject = $Subject }
}

function Select-HostDue {
    # Takes the first thing that is due until then out of the plan.
    param([double] $Until)

    $first = $null
    foreach ($due in $script:Machine.Due) { if ($due.At -le $Until -and ($null -eq $first -or $due.At -lt $first.At)) { $first = $due } }
    if ($null -eq $first) { return }
    $script:Machine.Due = @(foreach ($due in $script:Machine.Due) { if (-not [object]::ReferenceEquals($due, $first)) { $due } })
    $first
}

function Restart-HostMachine {
    # What a restart does: services stop and the automatic ones start, pending features are installed, overlay
    # networks are gone, and what was marked for deletion is deleted.
    $machine = $script:Machine
    $machine.Running = @{}
    $machine.Wrapped = @{}
    $machine.Wakes = @()
    $machine.Stopping = @()
    $machine.Failures = @{}
    $machine.Pipe = 0
    $machine.Handles = @{}
    $machine.Due = @($machine.Due | Where-Object -FilterScript { $_.Name -in $script:Outside })
    $machine.Moving = $false
    $machine.Seconds += 60
    $machine.Boot = $machine.Seconds
    $machine.ClockAtBoot = $machine.Clock
    # https://learn.microsoft.com/windows-server/networking/sdn/ : VXLAN networks of HNS are not kept.
    # Antrea's transparent one goes, and its virtual switch may stay: antrea-io/antrea at v2.7.0, docs/windows.md and
    # hack/windows/Clean-AntreaNetwork.ps1, which removes either.
    $lost = if (Get-HostSwitch -Name 'BridgeSurvives') { 'Overlay', 'Transparent' } else { 'Overlay', 'L2Bridge', 'Transparent' }
    $machine.Networks = @($machine.Networks | Where-Object -FilterScript { $_.Type -notin $lost -or $_['Kept'] })
    $machine.Endpoints = @()
    # The agent of a cloud gives its routes at each start.
    $machine.Routes = @(if ($machine.CloudRoute) { @{ DestinationPrefix = '169.254.169.254/32'; NextHop = $machine.CloudRoute } })
    $machine.PolicyLists = @()
    $machine.Hns = @{ Process = $machine.Hns.Process + 4; Start = $machine.Boot }
    foreach ($pod in @($machine.Pods | Where-Object -FilterScript { $_['Plan'] })) { Stop-HostSandbox -Pod $pod }
    $machine.Proxy = $null
    foreach ($name in @($machine.Features.Keys)) {
        if ($machine.Features[$name] -eq 'InstallPending') { $machine.Features[$name] = 'Installed' }
        if ($machine.Features[$name] -eq 'UninstallPending') { $machine.Features[$name] = 'Available' }
    }
    foreach ($name in @($machine.Parts.Keys)) {
        $machine.Parts[$name] = $machine.Parts[$name] -replace 'EnablePending', 'Enabled' -replace 'DisablePending', 'Disabled'
    }
    [WinNodeHost.Registry]::Remove('SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending')
    [WinNodeHost.Registry]::Clear('SYSTEM\CurrentControlSet\Control\Session Manager', 'PendingFileRenameOperations')
    $network = 'SYSTEM\CurrentControlSet\Services\Tcpip\Parameters'
    [WinNodeHost.Registry]::Set($network, 'Hostname', 'String', [WinNodeHost.Registry]::Get($network, 'NV Hostname'))
    Update-HostCommand
    foreach ($name in Get-HostServiceName) {
        if (1 -eq (Get-HostServiceValue -Name $name -Value 'DeleteFlag')) { Remove-HostService -Name $name }
    }
    foreach ($name in Get-HostServiceName) {
        if (2 -ne (Get-HostServiceValue -Name $name -Value 'Start')) { continue }
        try { Start-HostService -Name $name } catch { $machine.Events += "$name : $_" }
    }
    # Outside a domain, the service writes an event at each start, and stops what stops then.
    if (2 -eq (Get-HostServiceValue -Name 'W32Time' -Below 'TriggerInfo\1' -Value 'Action')) {
        Stop-HostService -Name 'W32Time'
    }
    Start-Sleep -Seconds 10
}
