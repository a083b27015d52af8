#Requires -Version 5.1
<#
    .SYNOPSIS
        Measures on a Windows Server what the simulated server of winnode's tests assumes.

    .DESCRIPTION
        Installs a bundle, joins, and then stops the processes of kube-proxy and HNS to see how Windows and
        the reconcile loop react. Writes one JSON file, without names, addresses or secrets, for
        winnode doctor --first-run. docs/first-real-run.md has the prerequisites, and how to undo it.

        On exit code 3010, restart the machine and run the same command again: it continues. Once all rows
        are measured, a restart and the same command add the rows about restarts.

        Exit codes: 0 done, 1 failed, 2 refused before any change, 3010 restart and rerun.

    .EXAMPLE
        .\Measure-WinNode.ps1 -Bundle .\win-node -TokenFile C:\for-the-nodes\token

        On a machine that joins a cluster.

    .EXAMPLE
        .\Measure-WinNode.ps1 -WinNode .\winnode.exe

        Without a cluster: Start-StandIn.ps1, from the same folder, answers in place of an API server.
#>
[Diagnostics.CodeAnalysis.SuppressMessageAttribute(
    'PSReviewUnusedParameter', '', Justification = 'the functions below read them')]
[CmdletBinding()]
param(
    # Folder of a rendered bundle, for a cluster that this machine can reach.
    [Parameter()]
    [string]
    $Bundle = '',

    # File on this machine with the bootstrap token, for Join-WinNode.ps1.
    [Parameter()]
    [string]
    $TokenFile = '',

    # The winnode program, or bin/run.cjs of a checkout, without -Bundle: renders a bundle for the stand-in.
    [Parameter()]
    [string]
    $WinNode = '',

    # Built-in profile of that bundle.
    [Parameter()]
    [string]
    $Extends = 'ws2022-flannel-overlay',

    # File with further fields of a profile for that bundle.
    [Parameter()]
    [string]
    $Layer = '',

    # File for the measurements. Measurements that it already has are kept.
    [Parameter()]
    [string]
    $Out = 'winnode-first-run.json'
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$InformationPreference = 'Continue'

# Rows of src/matrix/tables/windows-assumptions.json, each with what it needs beside a network.
$script:Row = [ordered]@{
    'dynamic-port-start'                 = ''
    'administered-port-range'            = ''
    'defender-empty-list'                = ''
    'new-file-owner'                     = ''
    'rename-of-open-file'                = ''
    'hns-process-alone'                  = ''
    'network-profile-log'                = ''
    'address-moves'                      = ''
    'configured-route-lost'              = ''
    'bridge-endpoint-default-route'      = 'L2Bridge'
    'bridge-endpoint-route-order'        = 'L2Bridge'
    'bridge-endpoint-metric'             = 'L2Bridge'
    'kubelet-keeps-address'              = ''
    'task-account'                       = ''
    'task-priority'                      = ''
    'loop-process-priority'              = ''
    'loop-seconds'                       = ''
    'loop-own-events'                    = ''
    'loop-suspicious-events'             = ''
    'loop-engine-events'                 = ''
    'killed-program-restarts'            = ''
    'service-stop-seconds'               = ''
    'stop-event'                         = ''
    'crash-event'                        = ''
    'overlay-network-after-crash'        = 'Overlay'
    'overlay-endpoints-after-crash'      = 'Overlay'
    'bridge-network-after-crash'         = 'L2Bridge'
    'bridge-endpoints-after-crash'       = 'L2Bridge'
    'load-balancers-after-crash'         = ''
    'kube-proxy-restores-load-balancers' = ''
    'event-starts-loop'                  = ''
    'loop-repairs-crash'                 = ''
    'sandboxes-lose-endpoint'            = 'Overlay'
    'sandboxes-repaired'                 = ''
    'overlay-network-after-restart'      = 'Overlay'
    'bridge-network-after-restart'       = 'L2Bridge'
}

$script:Task = 'winnode-boot'
$script:Crictl = 'C:\k\crictl.exe'
$script:Log = 'Microsoft-Windows-PowerShell/Operational'

# What this run has found: rows by id, the runs of the entry scripts, the network for the time after a restart.
$script:Found = @{
    Rows = @{}; Earlier = @{}; Runs = @(); Seen = $null; Cluster = 'none'; Lists = $null; StandIn = $null; Code = 0
}

function Resolve-NodePath {
    # The path as .NET knows it.
    param([string] $LiteralPath)

    $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
}

function Write-NodeTalk {
    # A line for the person at the console; nothing of it is in the file.
    param([string] $Text)

    Write-Information -MessageData $Text
}

function Complete-NodeMeasure {
    # Ends the measurement of a row, with the reason for the file.
    param([string] $Why)

    throw (New-Object -TypeName System.NotSupportedException -ArgumentList $Why)
}

function Add-NodeRow {
    # Measures a row. The file gets a value or a reason that is written here: messages of Windows may contain
    # names and addresses, so they are printed only.
    param([string] $Id, [scriptblock] $Measure)

    try {
        $value = & $Measure
        $script:Found.Rows[$Id] = @{ value = $value }
        Write-NodeTalk -Text "${Id}: $value"
    } catch [System.NotSupportedException] {
        $problem = $_
        $script:Found.Rows[$Id] = @{ notMeasured = $problem.Exception.Message }
        Write-NodeTalk -Text "${Id}: not measured, $($problem.Exception.Message)"
    } catch {
        $problem = $_
        $kind = $problem.Exception.GetType().FullName
        $script:Found.Rows[$Id] = @{ notMeasured = "the measurement failed: $kind" }
        Write-NodeTalk -Text "${Id}: failed, $($problem.Exception.Message)"
    }
}

function Invoke-NodePart {
    # Measures some rows; if Windows stops it, the others are still measured, and the exit code is 1.
    param([scriptblock] $Part)

    try {
        & $Part
    } catch {
        $problem = $_
        $script:Found.Code = 1
        Write-NodeTalk -Text ($problem | Out-String)
    }
}

function Add-NodeReason {
    # The same reason for several rows without a value.
    param([string[]] $Id, [string] $Why)

    foreach ($one in $Id) {
        if (-not $script:Found.Rows.ContainsKey($one)) { $script:Found.Rows[$one] = @{ notMeasured = $Why } }
    }
}

function Read-NodeEarlier {
    # Values that an earlier run of this script has measured, and the network that it saw.
    if (-not (Test-Path -LiteralPath $Out)) { return }
    $document = (Get-Content -LiteralPath $Out) -join "`n" | ConvertFrom-Json
    if ($document.kind -cne 'FirstRun') {
        $script:Found.Cluster = ''
        throw "$Out is another file: name a new one with -Out"
    }
    foreach ($row in @($document.rows)) {
        $names = @($row.PSObject.Properties | ForEach-Object -Process { $_.Name })
        if ($names -contains 'value') { $script:Found.Rows[$row.id] = @{ value = $row.value } }
        else { $script:Found.Earlier[$row.id] = @{ notMeasured = $row.notMeasured } }
    }
    $script:Found.Runs = @($document.runs)
    $script:Found.Seen = $document.seen
}

function Save-NodeMeasure {
    # Writes the file, with every row.
    $key = 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion'
    $windows = Get-ItemProperty -LiteralPath $key
    $rows = foreach ($id in $script:Row.Keys) {
        $row = [ordered]@{ id = $id }
        $found = $script:Found.Rows[$id]
        if ($null -eq $found) { $found = $script:Found.Earlier[$id] }
        if ($null -eq $found) { $found = @{ notMeasured = 'the script ended before it' } }
        foreach ($name in $found.Keys) { $row[$name] = $found[$name] }
        $row
    }
    $document = [ordered]@{
        apiVersion = 'winnode/v1'
        kind       = 'FirstRun'
        windows    = "$($windows.CurrentBuildNumber).$($windows.UBR)"
        powershell = "$($PSVersionTable.PSVersion)"
        cluster    = $script:Found.Cluster
        rows       = @($rows)
        runs       = @($script:Found.Runs)
        seen       = $script:Found.Seen
    }
    $text = ConvertTo-Json -InputObject $document -Depth 5
    Set-Content -LiteralPath $Out -Value $text -Encoding Ascii
}

function Invoke-NodeEntry {
    # Runs a script of the bundle; returns its exit code.
    param([string] $Name, [hashtable] $Parameter = @{})

    Write-NodeTalk -Text "$Name-WinNode.ps1 runs"
    $from = Get-Date
    $said = & "$Bundle\$Name-WinNode.ps1" @Parameter -AsJson
    $code = $LASTEXITCODE
    $seconds = [Math]::Round(((Get-Date) - $from).TotalSeconds)
    $script:Found.Runs += [ordered]@{ script = $Name; code = $code; seconds = $seconds }
    Write-NodeTalk -Text "$Name-WinNode.ps1: exit code $code after $seconds s"
    if ($code -ne 0) { Write-NodeTalk -Text ($said -join "`n") }
    $code
}

function Get-NodeEvent {
    # Events of a log after the one with this number; none is no error.
    param([hashtable] $Filter, [long] $After = 0)

    $found = @(Get-WinEvent -FilterHashtable $Filter -MaxEvents 1000 -ErrorAction SilentlyContinue)
    $found | Where-Object -FilterScript { $_.RecordId -gt $After }
}

function Get-NodeLastEvent {
    # The number of the newest event of a log.
    param([hashtable] $Filter)

    $last = @(Get-WinEvent -FilterHashtable $Filter -MaxEvents 1 -ErrorAction SilentlyContinue)
    if ($last.Count -eq 0) { return 0 }
    $last[0].RecordId
}

function Test-NodeServiceEvent {
    # Whether the service control manager has logged such an event with the display name of the service.
    param([string] $Service, [int[]] $Id, [long] $After)

    $shown = (Get-Service -Name $Service).DisplayName
    $filter = @{ LogName = 'System'; ProviderName = 'Service Control Manager'; Id = $Id }
    foreach ($try in 1..10) {
        foreach ($one in @(Get-NodeEvent -Filter $filter -After $After)) {
            if (@($one.Properties | ForEach-Object -Process { "$($_.Value)" }) -ccontains $shown) { return $true }
        }
        Start-Sleep -Seconds 1
    }
    $false
}

function Get-NodeProcessId {
    # Process of the service hns.
    $service = Get-CimInstance -ClassName Win32_Service -Filter "Name='hns'"
    if ($null -eq $service -or $service.ProcessId -eq 0) { return 0 }
    $service.ProcessId
}

function Get-NodeHnsItem {
    # All networks, endpoints or policy lists of HNS, whose commands return $null for an empty list.
    # https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/hns.psm1
    param([string] $Command, [string] $OnError = 'SilentlyContinue')

    & $Command -ErrorAction $OnError | Where-Object -FilterScript { $null -ne $_ }
}

function Get-NodeNetwork {
    # The pod network, or nothing.
    if (-not (Get-Command -Name Get-HnsNetwork -ErrorAction SilentlyContinue)) { return }
    Get-NodeHnsItem -Command Get-HnsNetwork |
        Where-Object -FilterScript { @('Overlay', 'L2Bridge') -contains $_.Type } | Select-Object -First 1
}

function Get-NodeEndpoint {
    # Endpoints of a network of this machine: kube-proxy adds some for other nodes.
    param([object] $Network)

    Get-NodeHnsItem -Command Get-HnsEndpoint | Where-Object -FilterScript {
        $remote = $_.PSObject.Properties['IsRemoteEndpoint']
        $_.VirtualNetwork -eq $Network.ID -and -not ($null -ne $remote -and $remote.Value)
    }
}

function Get-NodeLoadBalancerCount {
    @(Get-NodeHnsItem -Command Get-HnsPolicyList).Count
}

function Get-NodeShare {
    # How many of so many are left, in a word.
    param([int] $Left, [int] $Before, [string] $None, [string] $All)

    if ($Left -eq 0) { return $None }
    if ($Left -lt $Before) { return 'some' }
    $All
}

function Get-NodeKubeletAddress {
    # The address in the kubelet's command line.
    $key = 'HKLM:\SYSTEM\CurrentControlSet\Services\kubelet'
    if (-not (Test-Path -LiteralPath $key)) { return '' }
    [regex]::Match((Get-ItemProperty -LiteralPath $key).ImagePath, '--node-ip=([0-9.]+)').Groups[1].Value
}

function Get-NodeSandbox {
    # Number of the ready sandboxes with an address, and of those among them without an HNS endpoint.
    $pipe = 'npipe:////./pipe/containerd-containerd'
    $text = (& $script:Crictl --runtime-endpoint $pipe pods --state ready -o json) -join "`n"
    $addresses = @(Get-NodeHnsItem -Command Get-HnsEndpoint | ForEach-Object -Process { $_.IPAddress })
    $count = @{ All = 0; Lost = 0 }
    foreach ($pod in @(($text | ConvertFrom-Json).items)) {
        $text = (& $script:Crictl --runtime-endpoint $pipe inspectp -o json $pod.id) -join "`n"
        $address = "$(($text | ConvertFrom-Json).status.network.ip)"
        # A HostProcess pod has none, or the machine's.
        if ($address -eq '' -or $address -eq (Get-NodeKubeletAddress)) { continue }
        $count.All++
        if ($addresses -cnotcontains $address) { $count.Lost++ }
    }
    $count
}

function Wait-NodeTask {
    # Waits until a run of the task that began after this one has ended; false if none began in time.
    param([object] $After, [int] $Seconds)

    for ($left = $Seconds; $left -gt 0; $left -= 5) {
        $info = Get-ScheduledTaskInfo -TaskName $script:Task -ErrorAction Stop
        if ($info.LastRunTime -ne $After) { break }
        Start-Sleep -Seconds 5
    }
    if ($left -le 0) { return $false }
    for ($left = 600; $left -gt 0; $left--) {
        if ("$((Get-ScheduledTask -TaskName $script:Task -ErrorAction Stop).State)" -ne 'Running') { return $true }
        Start-Sleep -Seconds 1
    }
    Complete-NodeMeasure -Why 'the task does not end'
}

function Invoke-NodeTask {
    # Starts the task once it does not run, and waits until it has finished; returns the seconds.
    foreach ($try in 1..600) {
        if ("$((Get-ScheduledTask -TaskName $script:Task -ErrorAction Stop).State)" -ne 'Running') { break }
        Start-Sleep -Seconds 1
    }
    $before = (Get-ScheduledTaskInfo -TaskName $script:Task -ErrorAction Stop).LastRunTime
    # The times of runs are whole seconds.
    Start-Sleep -Seconds 2
    $from = Get-Date
    Start-ScheduledTask -TaskName $script:Task -ErrorAction Stop
    foreach ($try in 1..3000) {
        $info = Get-ScheduledTaskInfo -TaskName $script:Task -ErrorAction Stop
        $state = "$((Get-ScheduledTask -TaskName $script:Task -ErrorAction Stop).State)"
        if ($info.LastRunTime -ne $before -and $state -ne 'Running') {
            return [Math]::Round(((Get-Date) - $from).TotalSeconds, 1)
        }
        Start-Sleep -Milliseconds 200
    }
    Complete-NodeMeasure -Why 'the task does not end'
}

function Measure-NodeFresh {
    # What only a machine without winnode shows.
    $ids = 'dynamic-port-start', 'administered-port-range', 'defender-empty-list'
    if (Test-Path -LiteralPath 'C:\ProgramData\winnode\state.json') {
        return Add-NodeReason -Id $ids -Why 'winnode was installed before'
    }
    Add-NodeRow -Id 'dynamic-port-start' -Measure {
        $said = & "$env:SystemRoot\System32\netsh.exe" interface ipv4 show dynamicport tcp
        [int][regex]::Match($said -join ' ', '\d+').Value
    }
    Add-NodeRow -Id 'administered-port-range' -Measure {
        $said = & "$env:SystemRoot\System32\netsh.exe" interface ipv4 show excludedportrange protocol=tcp
        @($said | Where-Object -FilterScript { $_ -match '^\s*50000\s+50059\s+\*' }).Count -gt 0
    }
    Add-NodeRow -Id 'defender-empty-list' -Measure {
        if (-not (Get-Command -Name Get-MpPreference -ErrorAction SilentlyContinue)) {
            Complete-NodeMeasure -Why 'Defender is not installed'
        }
        $list = (Get-MpPreference -ErrorAction Stop).ExclusionProcess
        if (@($list | Where-Object -FilterScript { $_ }).Count -gt 0) {
            Complete-NodeMeasure -Why 'Defender has exclusions'
        }
        $null -eq $list
    }
}

function Measure-NodeFile {
    # Owners and renames, in a folder that is removed again.
    $folder = "$env:SystemRoot\Temp\winnode-first-run"
    $null = New-Item -ItemType Directory -Path $folder -Force
    $file = Resolve-NodePath -LiteralPath "$folder\open.log"
    $renamed = Resolve-NodePath -LiteralPath "$folder\renamed.log"
    Set-Content -LiteralPath "$folder\open.log" -Value 'a line' -Encoding Ascii
    Add-NodeRow -Id 'new-file-owner' -Measure {
        if ((Get-Acl -LiteralPath "$folder\open.log").Sddl -cmatch '^O:BA') { 'Administrators' } else { 'account' }
    }
    Add-NodeRow -Id 'rename-of-open-file' -Measure {
        # Without the flag Delete, as most readers.
        $reader = [System.IO.File]::Open($file, 'Open', 'Read', 'ReadWrite')
        try {
            [System.IO.File]::Move($file, $renamed)
            'succeeds'
        } catch [System.IO.IOException] {
            'fails'
        } finally {
            $reader.Dispose()
        }
    }
    foreach ($name in 'open.log', 'renamed.log') {
        if (Test-Path -LiteralPath "$folder\$name") { Remove-Item -LiteralPath "$folder\$name" -Force }
    }
    Remove-Item -LiteralPath $folder -Force
}

function Measure-NodeRestart {
    # After a restart of the machine: whether the network from before still exists.
    $kind = if ($script:Found.Seen.type -eq 'Overlay') { 'overlay' } else { 'bridge' }
    Add-NodeRow -Id "$kind-network-after-restart" -Measure {
        $ids = @(Get-NodeHnsItem -Command Get-HnsNetwork -OnError Stop | ForEach-Object -Process { $_.ID })
        if ($ids -contains $script:Found.Seen.network) { 'kept' } else { 'gone' }
    }
}

function Get-NodeDefaultRoute {
    # The default route with the lowest metric.
    @(Get-NetRoute -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue) |
        Sort-Object -Property { $_.RouteMetric + $_.InterfaceMetric } | Select-Object -First 1
}

# A documentation address, which no machine has: https://www.rfc-editor.org/rfc/rfc5737
$script:Probe = '198.51.100.77/32'

function Invoke-NodeJoin {
    # Joins, with a configured route that the new network may take away; returns the exit code.
    $fresh = $null -eq (Get-NodeNetwork)
    $route = Get-NodeDefaultRoute
    if ($fresh -and $null -ne $route) {
        $call = @{
            DestinationPrefix = $script:Probe; InterfaceIndex = $route.InterfaceIndex; NextHop = $route.NextHop
            PolicyStore = 'ActiveStore'; ErrorAction = 'SilentlyContinue'
        }
        $null = New-NetRoute @call
    }
    $login = if ($TokenFile -ne '') { @{ TokenFile = $TokenFile } } else { @{} }
    $code = Invoke-NodeEntry -Name 'Join' -Parameter $login
    Add-NodeRow -Id 'configured-route-lost' -Measure {
        if (-not $fresh) { Complete-NodeMeasure -Why 'the network existed before' }
        if ($null -eq $route) { Complete-NodeMeasure -Why 'the machine has no default route' }
        if ($null -eq (Get-NodeNetwork)) { Complete-NodeMeasure -Why 'the network is missing' }
        @(Get-NetRoute -DestinationPrefix $script:Probe -ErrorAction SilentlyContinue).Count -eq 0
    }
    if (@(Get-NetRoute -DestinationPrefix $script:Probe -ErrorAction SilentlyContinue).Count -gt 0) {
        Remove-NetRoute -DestinationPrefix $script:Probe -Confirm:$false -ErrorAction SilentlyContinue
    }
    $code
}

function Measure-NodeNetwork {
    # Addresses and routes while the pod network exists.
    param([object] $Network)

    Add-NodeRow -Id 'address-moves' -Measure {
        $address = Get-NodeKubeletAddress
        $found = @(Get-NetIPAddress -IPAddress $address -ErrorAction SilentlyContinue)
        if ($found.Count -eq 0) { Complete-NodeMeasure -Why 'no interface has the address of the kubelet' }
        $found[0].InterfaceAlias -like 'vEthernet (*'
    }
    if ($Network.Type -ne 'L2Bridge') { return }
    $routes = @(Get-NetRoute -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue)
    $own = @($routes | Where-Object -FilterScript { $_.InterfaceAlias -eq 'vEthernet (cbr0_ep)' })
    $others = @($routes | Where-Object -FilterScript { $_.InterfaceAlias -ne 'vEthernet (cbr0_ep)' })
    Add-NodeRow -Id 'bridge-endpoint-default-route' -Measure { $own.Count -gt 0 }
    if ($own.Count -eq 0 -or $others.Count -eq 0) {
        $ids = 'bridge-endpoint-route-order', 'bridge-endpoint-metric'
        return Add-NodeReason -Id $ids -Why 'there are no two default routes'
    }
    Add-NodeRow -Id 'bridge-endpoint-route-order' -Measure {
        if ($routes[0].InterfaceAlias -eq $own[0].InterfaceAlias) { 'first' } else { 'later' }
    }
    Add-NodeRow -Id 'bridge-endpoint-metric' -Measure {
        $metrics = foreach ($one in $own[0], $others[0]) { $one.RouteMetric + $one.InterfaceMetric }
        if ($metrics[0] -lt $metrics[1]) { return 'lower' }
        if ($metrics[0] -gt $metrics[1]) { 'higher' } else { 'equal' }
    }
}

function Measure-NodeLoop {
    # Runs of the task on a healthy node.
    $task = Get-ScheduledTask -TaskName $script:Task -ErrorAction Stop
    Add-NodeRow -Id 'task-account' -Measure { if ($task.Principal.UserId -like 'S-1-*') { 'SID' } else { 'name' } }
    Add-NodeRow -Id 'task-priority' -Measure { [int]$task.Settings.Priority }
    $before = Get-NodeKubeletAddress
    # The first runs may still complete the join.
    foreach ($run in 1..2) { $null = Invoke-NodeTask }
    Add-NodeRow -Id 'kubelet-keeps-address' -Measure { $before -ne '' -and (Get-NodeKubeletAddress) -ceq $before }

    $logs = @{
        Own    = @{ LogName = 'Application'; ProviderName = 'winnode' }
        Blocks = @{ LogName = $script:Log; Id = 4104 }
        Engine = @{ LogName = 'Windows PowerShell'; Id = 400, 403, 600 }
    }
    $from = @{}
    foreach ($name in @($logs.Keys)) { $from[$name] = Get-NodeLastEvent -Filter $logs[$name] }
    Add-NodeRow -Id 'loop-seconds' -Measure { Invoke-NodeTask }
    # Windows writes its logs a moment later.
    Start-Sleep -Seconds 2
    $events = @{}
    foreach ($name in @($logs.Keys)) {
        $events[$name] = @(Get-NodeEvent -Filter $logs[$name] -After $from[$name])
    }
    Add-NodeRow -Id 'loop-own-events' -Measure { $events.Own.Count }
    $policy = 'HKLM:\SOFTWARE\Policies\Microsoft\Windows\PowerShell\ScriptBlockLogging'
    Add-NodeRow -Id 'loop-suspicious-events' -Measure {
        if (Test-Path -LiteralPath $policy) { Complete-NodeMeasure -Why 'a policy logs all script blocks' }
        Assert-NodeLog -Name $script:Log
        # 3 is Warning: https://learn.microsoft.com/windows/win32/wes/eventmanifestschema-leveltype-complextype
        @($events.Blocks | Where-Object -FilterScript { $_.Level -eq 3 -and $_.ProcessId -ne $PID }).Count
    }
    Add-NodeRow -Id 'loop-engine-events' -Measure {
        Assert-NodeLog -Name 'Windows PowerShell'
        $events.Engine.Count
    }
    Add-NodeRow -Id 'loop-process-priority' -Measure { Get-NodeTaskPriority }
}

function Assert-NodeLog {
    # Stops a measurement that needs a log, unless Windows has and writes it.
    param([string] $Name)

    $log = @(Get-WinEvent -ListLog $Name -ErrorAction SilentlyContinue)
    if ($log.Count -eq 0) { Complete-NodeMeasure -Why 'the log does not exist' }
    if (-not $log[0].IsEnabled) { Complete-NodeMeasure -Why 'the log is disabled' }
}

function Get-NodeTaskPriority {
    # Priority class of the PowerShell that the task starts.
    Start-ScheduledTask -TaskName $script:Task -ErrorAction Stop
    foreach ($try in 1..100) {
        $all = @(Get-CimInstance -ClassName Win32_Process -Filter "Name='powershell.exe'")
        foreach ($one in $all) {
            if ("$($one.CommandLine)" -notlike '*Install-WinNode.ps1*') { continue }
            $process = Get-Process -Id $one.ProcessId -ErrorAction SilentlyContinue
            if ($null -ne $process) { return "$($process.PriorityClass)" }
        }
        if ("$((Get-ScheduledTask -TaskName $script:Task -ErrorAction Stop).State)" -ne 'Running') { break }
    }
    Complete-NodeMeasure -Why 'the process of the task was not seen'
}

function Measure-NodeService {
    # What Windows makes of a service that stops, and of a program that is killed; the task is disabled.
    $ids = 'service-stop-seconds', 'stop-event', 'killed-program-restarts'
    $service = Get-Service -Name 'kube-proxy' -ErrorAction SilentlyContinue
    if ($null -eq $service -or "$($service.Status)" -ne 'Running') {
        return Add-NodeReason -Id $ids -Why 'kube-proxy does not run'
    }
    $last = Get-NodeLastEvent -Filter @{ LogName = 'System'; ProviderName = 'Service Control Manager'; Id = 7036 }
    Add-NodeRow -Id 'service-stop-seconds' -Measure {
        $from = Get-Date
        Stop-Service -Name 'kube-proxy' -Force
        [Math]::Round(((Get-Date) - $from).TotalSeconds, 1)
    }
    Add-NodeRow -Id 'stop-event' -Measure { Test-NodeServiceEvent -Service 'kube-proxy' -Id 7036 -After $last }
    Start-Service -Name 'kube-proxy'
    # kube-proxy on overlay waits ten seconds for its network.
    Start-Sleep -Seconds 45
    Add-NodeRow -Id 'killed-program-restarts' -Measure {
        $filter = "Name='kube-proxy.exe'"
        $before = @(Get-CimInstance -ClassName Win32_Process -Filter $filter)
        if ($before.Count -eq 0) { Complete-NodeMeasure -Why 'kube-proxy has no process' }
        Stop-Process -Id $before[0].ProcessId -Force
        foreach ($try in 1..18) {
            Start-Sleep -Seconds 5
            $now = @(Get-CimInstance -ClassName Win32_Process -Filter $filter)
            if ($now.Count -gt 0 -and $now[0].ProcessId -ne $before[0].ProcessId) { return $true }
        }
        $false
    }
    if ("$((Get-Service -Name 'kube-proxy').Status)" -ne 'Running') { Start-Service -Name 'kube-proxy' }
    Start-Sleep -Seconds 45
}

function Invoke-NodeCrash {
    # Kills the process of HNS, and waits until HNS runs again.
    $before = Get-NodeProcessId
    if ($before -eq 0) { Complete-NodeMeasure -Why 'HNS does not run' }
    Stop-Process -Id $before -Force
    foreach ($try in 1..120) {
        $now = Get-NodeProcessId
        if ($now -ne 0 -and $now -ne $before) { return }
        Start-Sleep -Seconds 1
        # Windows starts it when it is used, if not by itself.
        if ($try -eq 30) { Start-Service -Name 'hns' }
    }
    Complete-NodeMeasure -Why 'HNS does not start again'
}

function Measure-NodeCrash {
    # An HNS crash while the task is disabled: what is left, and what kube-proxy makes of it.
    param([object] $Network)

    $ids = @($script:Row.Keys | Where-Object -FilterScript { $_ -match 'crash|^sandboxes|^event|restores' })
    Add-NodeRow -Id 'hns-process-alone' -Measure {
        $service = Get-NodeProcessId
        if ($service -eq 0) { Complete-NodeMeasure -Why 'HNS does not run' }
        @(Get-CimInstance -ClassName Win32_Service -Filter "ProcessId=$service").Count -eq 1
    }
    $alone = $script:Found.Rows['hns-process-alone']
    if (-not $alone.ContainsKey('value') -or -not $alone.value) {
        return Add-NodeReason -Id $ids -Why 'the process of HNS runs other services'
    }
    $lists = Get-NodeLoadBalancerCount
    $endpoints = @(Get-NodeEndpoint -Network $Network).Count
    $pods = Get-NodeSandbox
    $filter = @{ LogName = 'System'; ProviderName = 'Service Control Manager'; Id = 7031, 7034 }
    $last = Get-NodeLastEvent -Filter $filter
    try { Invoke-NodeCrash } catch [System.NotSupportedException] {
        $problem = $_
        return Add-NodeReason -Id $ids -Why $problem.Exception.Message
    }
    $left = Get-NodeLoadBalancerCount
    $there = @(Get-NodeHnsItem -Command Get-HnsNetwork | Where-Object -FilterScript { $_.ID -eq $Network.ID })
    $kind = if ($Network.Type -eq 'Overlay') { 'overlay' } else { 'bridge' }
    Add-NodeRow -Id "$kind-network-after-crash" -Measure { if ($there.Count -gt 0) { 'kept' } else { 'gone' } }
    Add-NodeRow -Id "$kind-endpoints-after-crash" -Measure {
        if ($endpoints -eq 0) { Complete-NodeMeasure -Why 'the network had no endpoint' }
        $now = @(Get-NodeEndpoint -Network $Network).Count
        Get-NodeShare -Left $now -Before $endpoints -None 'gone' -All 'kept'
    }
    Add-NodeRow -Id 'load-balancers-after-crash' -Measure {
        if ($lists -lt 2) { Complete-NodeMeasure -Why 'HNS had fewer than two load balancers' }
        Get-NodeShare -Left $left -Before $lists -None 'none' -All 'all'
    }
    Add-NodeRow -Id 'crash-event' -Measure { Test-NodeServiceEvent -Service 'hns' -Id 7031, 7034 -After $last }
    if ($Network.Type -eq 'Overlay') {
        Add-NodeRow -Id 'sandboxes-lose-endpoint' -Measure {
            if ($pods.All -eq 0) { Complete-NodeMeasure -Why 'no pod with a pod network ran' }
            (Get-NodeSandbox).Lost -gt 0
        }
    }
    Add-NodeRow -Id 'kube-proxy-restores-load-balancers' -Measure {
        if ($lists -lt 2) { Complete-NodeMeasure -Why 'HNS had fewer than two load balancers' }
        if ($left -ge $lists) { Complete-NodeMeasure -Why 'HNS has lost none' }
        Start-Sleep -Seconds 70
        (Get-NodeLoadBalancerCount) -ge $lists
    }
    $script:Found.Lists = $lists
}

function Measure-NodeRepair {
    # Another HNS crash, with the task enabled: whether the event starts it, and whether it repairs the network.
    $before = (Get-ScheduledTaskInfo -TaskName $script:Task -ErrorAction Stop).LastRunTime
    Add-NodeRow -Id 'event-starts-loop' -Measure {
        Invoke-NodeCrash
        Wait-NodeTask -After $before -Seconds 180
    }
    $started = $script:Found.Rows['event-starts-loop']
    Add-NodeRow -Id 'loop-repairs-crash' -Measure {
        if (-not $started.ContainsKey('value') -or -not $started.value) { $null = Invoke-NodeTask }
        # kube-proxy creates its load balancers after its start.
        Start-Sleep -Seconds 60
        $null -ne (Get-NodeNetwork) -and (Get-NodeLoadBalancerCount) -ge $script:Found.Lists
    }
    Add-NodeRow -Id 'sandboxes-repaired' -Measure {
        # The kubelet creates them again, and the loop stops a few at once.
        foreach ($try in 1..24) {
            $pods = Get-NodeSandbox
            if ($pods.All -gt 0 -and $pods.Lost -eq 0) { return $true }
            Start-Sleep -Seconds 10
        }
        if ($pods.All -eq 0) { Complete-NodeMeasure -Why 'no pod with a pod network ran' }
        $false
    }
}

function Measure-NodeMember {
    # Everything that needs a joined node.
    $network = Get-NodeNetwork
    $task = Get-ScheduledTask -TaskName $script:Task -ErrorAction SilentlyContinue
    if ($null -eq $network -or $null -eq $task) {
        return Add-NodeReason -Id @($script:Row.Keys) -Why 'the pod network is missing: Join failed'
    }
    foreach ($id in @($script:Row.Keys)) {
        $mode = $script:Row[$id]
        if ($mode -ne '' -and $mode -ne $network.Type) {
            Add-NodeReason -Id $id -Why "the network is $($network.Type)"
        }
    }
    if ($script:Found.Cluster -ne 'real') {
        Add-NodeReason -Id 'sandboxes-lose-endpoint', 'sandboxes-repaired' -Why 'there was no real API server'
    }
    Add-NodeRow -Id 'network-profile-log' -Measure {
        $name = 'Microsoft-Windows-NetworkProfile/Operational'
        $log = @(Get-WinEvent -ListLog $name -ErrorAction SilentlyContinue)
        if ($log.Count -eq 0) { Complete-NodeMeasure -Why 'the log does not exist' }
        $log[0].IsEnabled
    }
    Invoke-NodePart -Part { Measure-NodeNetwork -Network $network }
    Invoke-NodePart -Part { Measure-NodeLoop }
    $null = Disable-ScheduledTask -TaskName $script:Task -ErrorAction Stop
    try {
        Invoke-NodePart -Part { Measure-NodeService }
        Invoke-NodePart -Part { Measure-NodeCrash -Network $network }
    } finally {
        $null = Enable-ScheduledTask -TaskName $script:Task -ErrorAction Stop
    }
    if ($null -ne $script:Found.Lists) { Invoke-NodePart -Part { Measure-NodeRepair } }
    $network = Get-NodeNetwork
    if ($null -ne $network) {
        $boot = Get-NodeBoot
        $script:Found.Seen = [ordered]@{ boot = $boot; network = "$($network.ID)"; type = "$($network.Type)" }
    }
    $ids = 'overlay-network-after-restart', 'bridge-network-after-restart'
    Add-NodeReason -Id $ids -Why 'restart the machine and run the same command again'
}

function Connect-NodeStandIn {
    # Starts the stand-in, and renders a bundle that trusts its CA.
    $folder = "$env:SystemRoot\Temp\winnode-stand-in"
    $null = New-Item -ItemType Directory -Path $folder -Force
    $list = Get-Acl -LiteralPath $folder
    $list.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
    Set-Acl -LiteralPath $folder -AclObject $list
    if (Test-Path -LiteralPath "$folder\ready") { Remove-Item -LiteralPath "$folder\ready" -Force }
    $real = Resolve-NodePath -LiteralPath $folder
    $key = 'HKLM:\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters'
    $name = (Get-ItemProperty -LiteralPath $key).Hostname.ToLowerInvariant()
    $program = if ($PSVersionTable.PSEdition -eq 'Core') { 'pwsh' } else { 'powershell.exe' }
    $file = Join-Path -Path $PSScriptRoot -ChildPath 'Start-StandIn.ps1'
    $words = "-NoProfile -NonInteractive -ExecutionPolicy Bypass -File `"$file`" -Folder `"$real`" -NodeName $name"
    # Without the input of this process, which a pipeline may use.
    Set-Content -LiteralPath "$folder\input" -Value '' -Encoding Ascii
    $call = @{
        FilePath               = Join-Path -Path $PSHOME -ChildPath $program
        ArgumentList           = $words
        RedirectStandardInput  = Resolve-NodePath -LiteralPath "$folder\input"
        RedirectStandardOutput = Resolve-NodePath -LiteralPath "$folder\output.log"
        RedirectStandardError  = Resolve-NodePath -LiteralPath "$folder\error.log"
    }
    $script:Found.StandIn = Start-Process @call -NoNewWindow -PassThru
    foreach ($try in 1..300) {
        if (Test-Path -LiteralPath "$folder\ready") { break }
        # Start-Sleep takes no time on the simulated host.
        [System.Threading.Thread]::Sleep(1000)
    }
    if (-not (Test-Path -LiteralPath "$folder\ready")) { throw 'the stand-in does not answer' }

    # With an endpoint, the default is a file with a token, which the stand-in does not issue.
    $credentials = @{}
    foreach ($one in 'kube-proxy', 'flannel') {
        $credentials[$one] = @{ kubeconfig = "C:\etc\kubernetes\$one.conf" }
    }
    $wish = [ordered]@{
        apiVersion = 'winnode/v1'
        kind       = 'NodeProfile'
        extends    = $Extends
        kubeProxy  = @{ credentials = $credentials['kube-proxy'] }
        network    = @{ flannel = @{ credentials = $credentials['flannel'] } }
        join       = [ordered]@{
            method = 'bootstrapKubeconfig'; endpoint = '127.0.0.1:6443'
            ca = (Get-Content -LiteralPath "$folder\ca.crt") -join "`n"
        }
    }
    $text = ConvertTo-Json -InputObject $wish -Depth 4
    # JSON is YAML.
    Set-Content -LiteralPath "$folder\profile.yaml" -Value $text -Encoding Ascii
    $made = "$folder-bundle"
    $from = Resolve-NodePath -LiteralPath "$folder\profile.yaml"
    $words = @('render', $from, '--out', (Resolve-NodePath -LiteralPath $made))
    if ($Layer -ne '') { $words += '--layer', $Layer }
    $program = $WinNode
    if ($WinNode -like '*.cjs') { $program, $words = @('node', $WinNode) + $words }
    $said = & $program @words
    if ($LASTEXITCODE -ne 0) { throw "winnode render: exit code ${LASTEXITCODE}: $said" }
    $script:Bundle = $made
}

function Copy-NodeCredential {
    # The files that an administrator provides, with the stand-in's credentials.
    $folder = "$env:SystemRoot\Temp\winnode-stand-in"
    # The version that it reports is the kubelet's.
    $text = (Get-Content -LiteralPath "$Bundle\node.json") -join ' '
    $version = [regex]::Match($text, '"name": *"kubelet", *"value": *"(\d+\.\d+\.\d+)').Groups[1].Value
    Set-Content -LiteralPath "$folder\version" -Value $version -Encoding Ascii
    foreach ($name in 'kubelet', 'bootstrap-kubelet', 'kube-proxy', 'flannel') {
        Copy-Item -LiteralPath "$folder\kubelet.conf" -Destination "C:\etc\kubernetes\$name.conf" -Force
    }
}

function Get-NodeBoot {
    # When the machine started.
    # The process System is created then; LastBootUpTime moves with the clock.
    (Get-CimInstance -ClassName Win32_Process -Filter 'ProcessId=4').CreationDate.ToUniversalTime().ToString('s')
}

function Invoke-NodeMeasure {
    # All of it; returns the exit code.
    Read-NodeEarlier
    if ($null -ne $script:Found.Seen -and $script:Found.Seen.boot -ne (Get-NodeBoot)) {
        Measure-NodeRestart
        return 0
    }
    Measure-NodeFresh
    Measure-NodeFile
    if ($WinNode -ne '') { Connect-NodeStandIn }
    $code = Invoke-NodeEntry -Name 'Install'
    if ($code -ne 0) {
        Add-NodeReason -Id @($script:Row.Keys) -Why "Install failed or needs a restart: exit code $code"
        return $code
    }
    if ($WinNode -ne '') { Copy-NodeCredential }
    $null = Invoke-NodeJoin
    Measure-NodeMember
    $script:Found.Code
}

$exitCode = 1
# Git for Windows has another whoami.exe.
$groups = & "$env:SystemRoot\System32\whoami.exe" /groups /fo csv /nh
if (-not ($groups | Select-String -Pattern 'S-1-16-(12288|16384)' -Quiet)) {
    Write-Error -Message 'PowerShell is not elevated: open it with Run as administrator' -ErrorAction Continue
    exit 2
}
if (($Bundle -eq '') -eq ($WinNode -eq '')) {
    Write-Error -Message 'name a bundle with -Bundle, or the winnode program with -WinNode' -ErrorAction Continue
    exit 2
}
try {
    $script:Found.Cluster = if ($WinNode -eq '') { 'real' } else { 'stand-in' }
    $exitCode = Invoke-NodeMeasure
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
} finally {
    if ($null -ne $script:Found.StandIn) { $script:Found.StandIn.Kill() }
    if ($script:Found.Cluster -ne '') {
        Save-NodeMeasure
        Write-NodeTalk -Text "wrote $Out"
    }
}
exit $exitCode
