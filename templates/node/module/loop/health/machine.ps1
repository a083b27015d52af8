# Checks the machine of a node that has joined: disk and ports.

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
    # Whether the node's ports are used by the expected programs, and enough dynamic ports are free. HNS reserves
    # 64 consecutive ports for a load balancer, which are excluded ranges, not connections. AKS warns at 10 free
    # blocks, too: https://github.com/Azure/AgentBaker/blob/master/staging/cse/windows/debug/networkhealth.ps1
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $range = ConvertFrom-NodePortRange -Ports $Need['dynamic']
    $first = $range['From']
    $last = $range['To']
    $taken = @{}
    foreach ($excluded in Get-NodeExcludedPort -Protocol tcp) {
        for ($port = $excluded['From']; $port -le $excluded['To']; $port++) {
            if ($port -ge $first -and $port -le $last) { $taken[$port] = $true }
        }
    }
    # There may be tens of thousands of connections: one loop, without a pipeline.
    $owners = @{}
    foreach ($connection in Get-NetTCPConnection -ErrorAction Stop) {
        $port = [int]$connection.LocalPort
        if ($port -ge $first -and $port -le $last) { $taken[$port] = $true }
        if ("$($connection.State)" -ne 'Listen') { continue }
        if (-not $owners.ContainsKey($port)) { $owners[$port] = @() }
        $owners[$port] += $connection.OwningProcess
    }
    $blocks = 0
    $free = 0
    for ($port = $first; $port -le $last; $port++) {
        $free = if ($taken.ContainsKey($port)) { 0 } else { $free + 1 }
        if ($free -eq 64) { $blocks++; $free = 0 }
    }
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
    $count = $last - $first + 1
    $dynamic = "$($taken.Count) of $count dynamic ports in use or reserved, $blocks blocks of 64 free"
    if ($wrong.Count -gt 0) {
        return ConvertTo-NodeVerdict -Verdict fail -Evidence ((@($wrong) + $dynamic) -join '; ')
    }
    $evidence = (@($held) + $dynamic) -join '; '
    if ($blocks -gt 10) { return ConvertTo-NodeVerdict -Verdict ok -Evidence $evidence }
    $remedy = 'find the program with too many connections, or enlarge host.dynamicPorts'
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
