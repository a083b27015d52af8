# Checks the machine of a node that has joined: disk, ports, and the sandbox image.

$script:HealthKind['disk'] = @{
    Function = 'Get-NodeDiskHealth'
    Event    = 109
    Remedy   = 'free space on the drive or enlarge it: the kubelet evicts pods, and starts no new ones'
}
$script:HealthKind['ports'] = @{
    Function = 'Get-NodePortHealth'
    Event    = 110
    Remedy   = 'stop the program that uses the port, then restart the service'
}
$script:HealthKind['image'] = @{
    Function = 'Get-NodeImageHealth'
    Event    = 107
    Remedy   = 'run Install-WinNode.ps1: until then new pods need the registry'
}

function Get-NodeDiskHealth {
    # Whether a drive has more free space than the kubelet's eviction threshold: a percentage or an amount.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $drive = $Need['drive']
    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='$drive'"
    if ($null -eq $disk) { return ConvertTo-NodeVerdict -Verdict fail -Evidence "drive $drive not found" }
    $least = if ($null -ne $Need['percent']) { $disk.Size * $Need['percent'] / 100 } else { $Need['mib'] * 1MB }
    $amounts = foreach ($amount in $disk.FreeSpace, $disk.Size, $least) { [math]::Floor($amount / 1GB) }
    $evidence = '{0} has {1} GiB of {2} free, expected more than {3}' -f (@($drive) + $amounts)
    $verdict = if ($disk.FreeSpace -gt $least) { 'ok' } else { 'fail' }
    ConvertTo-NodeVerdict -Verdict $verdict -Evidence $evidence
}

function Get-NodePortHealth {
    # Whether the node's ports are used by the expected programs, and enough dynamic ports are free.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    # https://learn.microsoft.com/troubleshoot/windows-client/networking/tcp-ip-port-exhaustion-troubleshooting
    $range = @(Get-NetTCPSetting -SettingName Internet -ErrorAction Stop)[0]
    $first = [int]$range.DynamicPortRangeStartPort
    $count = [int]$range.DynamicPortRangeNumberOfPorts
    # There may be tens of thousands of connections: one loop, without a pipeline.
    $dynamicPorts = @{}
    $owners = @{}
    foreach ($connection in Get-NetTCPConnection -ErrorAction Stop) {
        $port = [int]$connection.LocalPort
        if ($port -ge $first -and $port -lt $first + $count) { $dynamicPorts[$port] = $true }
        if ("$($connection.State)" -ne 'Listen') { continue }
        if (-not $owners.ContainsKey($port)) { $owners[$port] = @() }
        $owners[$port] += $connection.OwningProcess
    }
    $used = $dynamicPorts.Count
    $held = @()
    $wrong = @()
    foreach ($entry in $Need['ports']) {
        $port, $program = $entry.Split(' ')
        $names = @($owners[[int]$port] | Where-Object -FilterScript { $null -ne $_ } |
                ForEach-Object -Process { Get-NodeProcessName -Id $_ } | Select-Object -Unique)
        if ($names.Count -eq 0) { $wrong += "no program listens at $port, expected $program" }
        foreach ($name in $names) {
            if ($name -eq $program) {
                $held += "$port $name"
            } else {
                $wrong += "$port is used by $name, expected $program"
            }
        }
    }
    $dynamic = "$used of $count dynamic ports in use"
    if ($wrong.Count -gt 0) {
        return ConvertTo-NodeVerdict -Verdict fail -Evidence ((@($wrong) + $dynamic) -join '; ')
    }
    $evidence = (@($held) + $dynamic) -join '; '
    if ($used -lt $count * 0.8) { return ConvertTo-NodeVerdict -Verdict ok -Evidence $evidence }
    $remedy = 'find the program with too many connections: new connections will soon fail'
    ConvertTo-NodeVerdict -Verdict warn -Evidence $evidence -Remedy $remedy
}

function Get-NodeProcessName {
    # The name of a process, or its ID if it has exited.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [int] $Id)

    $process = Get-Process -Id $Id -ErrorAction SilentlyContinue
    if ($null -eq $process) { "process $Id" } else { $process.Name }
}

function Get-NodeImageHealth {
    # Whether containerd has the sandbox image. If not, it pulls the image with the next pod.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $null = Read-NodeDetail
    $there = Test-NodeImagePull -Step $Need
    $why = Read-NodeDetail
    if ($there) { return ConvertTo-NodeVerdict -Verdict ok -Evidence "containerd has $($Need['image'])" }
    ConvertTo-NodeVerdict -Verdict warn -Evidence "$($Need['image']): $why"
}
