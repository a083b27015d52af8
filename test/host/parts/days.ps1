# What happens to a machine in its days: programs that end again and again, a disk that is full, updates, and a clock
# that goes on.

function Set-HostCrash {
    # From now on, and for so many seconds, a service's program ends two seconds after each start.
    param([string] $Name, [double] $For)

    $script:Machine.Crashing[$Name] = $script:Machine.Seconds + $For
    if ($script:Machine.Running.ContainsKey($Name)) { Add-HostCrash -Name $Name }
}

function Add-HostCrash {
    # Plans the end of a program that was just started, where it is one that ends.
    param([string] $Name)

    if ($script:Machine.Seconds -ge [double]$script:Machine.Crashing[$Name]) { return }
    $process = if ($script:Machine.Wrapped.ContainsKey($Name)) { $script:Machine.Wrapped[$Name].Process } else { 0 }
    Add-HostDue -After 2 -Name 'program-ends' -Subject @{ Name = $Name; Since = $script:Machine.Running[$Name]; Process = $process }
}

$script:Happening['program-ends'] = {
    param($Plan)
    if ($script:Machine.Running[$Plan.Name] -ne $Plan.Since) { return }
    $words = 'panic: runtime error: invalid memory address or nil pointer dereference'
    if (-not $script:Machine.Wrapped.ContainsKey($Plan.Name)) { return Stop-HostProcess -Name $Plan.Name -Message $words }
    if (Test-HostWrappedProcess -Name $Plan.Name -Process $Plan.Process) { Stop-HostWrappedProcess -Name $Plan.Name -Message $words -Code 2 }
}

function Set-HostFiller {
    # A file grows until the disk is full: so large, and all that was free is in it.
    param([string] $LiteralPath, [long] $Size)

    $folder = Split-Path -Path $LiteralPath
    $null = New-Item -ItemType Directory -Path $folder -Force
    $stream = [System.IO.File]::Open((Convert-Path -LiteralPath $folder) + '/' + (Split-Path -Path $LiteralPath -Leaf), 'OpenOrCreate')
    try { $stream.SetLength($Size) } finally { $stream.Dispose() }
    $script:Machine.Filler = $LiteralPath
}

function Get-HostFreeSpace {
    # What is free on C:, nothing while the file that fills it is large.
    $path = $script:Machine.Filler
    $full = $path -ne '' -and (Test-Path -LiteralPath $path) -and (Get-Item -LiteralPath $path).Length -gt 1MB
    if ($full) { 0 } else { $script:Machine.FreeSpace }
}

function Use-HostDisk {
    # A disk that is full refuses what the module writes.
    param([System.Management.Automation.PSModuleInfo] $Module)

    & $Module {
        param($Room)
        $script:HostDisk = @{ Room = $Room }
        foreach ($name in 'Write-NodeText', 'Write-NodeSecret', 'Save-NodeLogEnd') {
            $script:HostDisk[$name] = (Get-Item -Path "function:$name").ScriptBlock
            $wrapper = "& `$script:HostDisk.Room; & `$script:HostDisk['$name'] @args"
            Set-Item -Path "function:script:$name" -Value ([scriptblock]::Create($wrapper))
        }
    } { if ((Get-HostFreeSpace) -eq 0) { throw [System.IO.IOException]::new('There is not enough space on the disk.') } }
}

function Install-HostUpdate {
    # A cumulative update of Windows: a restart is pending for so many seconds, and restarts the machine twice.
    param([int] $Revision, [double] $Waits)

    [WinNodeHost.Registry]::Set('SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending', '', 'String', '')
    Start-Sleep -Seconds $Waits
    [WinNodeHost.Registry]::Set('SOFTWARE\Microsoft\Windows NT\CurrentVersion', 'UBR', 'DWord', $Revision)
    Restart-HostMachine
    Restart-HostMachine
}

function Set-HostNodeLost {
    # What the cluster makes of Nodes that no kubelet speaks for any more, some 50 seconds later.
    foreach ($path in @($script:Machine.Cluster.Objects.Keys)) {
        if ($path -notmatch '^/api/v1/nodes/(?!linux)') { continue }
        $node = ConvertFrom-Json -InputObject $script:Machine.Cluster.Objects[$path] -AsHashtable
        $node.status.conditions = @(@{ type = 'Ready'; status = 'Unknown'; message = 'Kubelet stopped posting node status.' })
        Set-HostObject -Path $path -Value $node
    }
}
