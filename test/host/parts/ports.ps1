# Ports of the machine: listeners, answers, and open connections.

function Get-HostListener {
    # Listeners by port and address.
    if (Test-HostHealthy) {
        $conf = try { Get-Content -LiteralPath 'C:\var\lib\kubelet\config.json' -Raw | ConvertFrom-Json -AsHashtable } catch { @{} }
        $port = if ($null -ne $conf['healthzPort']) { $conf['healthzPort'] } else { 10248 }
        if ($port -gt 0) { @{ Port = $port; Program = 'kubelet'; Answer = @{ Code = 200; Text = 'ok' } } }
        if (-not $script:Machine.Holders.ContainsKey('10250')) { @{ Port = 10250; Program = 'kubelet' } }
    }
    foreach ($port in $script:Machine.Holders.Keys) { @{ Port = [int]$port; Program = $script:Machine.Holders[$port] } }
    $made = $script:Machine.DaemonSet
    if ($made -is [System.Collections.IDictionary] -and $made['Proxy'] -and @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $made.Name }).Count -gt 0) {
        @{ Port = 10256; Program = 'kube-proxy'; Answer = @{ Code = 200; Text = 'ok' } }
    }
    if (Test-HostAntreaAgent) { @{ Port = 10350; Program = 'antrea-agent' } }
    $health = Get-HostProxyHealth
    if ($null -eq $health) { return }
    @{ Port = $script:Machine.Proxy.Port; Program = 'kube-proxy'; Answer = $health }
}

function Get-HostAnswer {
    # What the module gets that asks at a port of this machine.
    param([string] $Address, [int] $Port, [string] $Path)

    if ($Address -notin '127.0.0.1', '::1' -or $Path -ne '/healthz') { throw "nothing stands in for $Address $Path" }
    foreach ($listener in @(Get-HostListener)) {
        if ($listener.Port -eq $Port -and $listener['Answer']) { return $listener.Answer }
    }
    @{ Code = 0; Text = 'No connection could be made because the target machine actively refused it.' }
}

function Get-NetTCPConnection {
    [CmdletBinding()]
    param()

    $id = 4000
    foreach ($listener in @(Get-HostListener)) {
        $id++
        [pscustomobject]@{ LocalAddress = '0.0.0.0'; LocalPort = [uint16]$listener.Port; RemoteAddress = '0.0.0.0'; RemotePort = [uint16]0; State = 'Listen'; OwningProcess = [uint32]$id }
    }
    foreach ($peer in @($script:Machine.Remote['Peers'] | Where-Object -FilterScript { $null -ne $_ -and $_.Session })) {
        [pscustomobject]@{ LocalAddress = $script:Machine.Address; LocalPort = [uint16]50001; RemoteAddress = $peer.Address; RemotePort = [uint16]179; State = 'Established'; OwningProcess = [uint32]4 }
    }
    for ($port = 0; $port -lt $script:Machine.Connections; $port++) {
        [pscustomobject]@{ LocalAddress = '192.0.2.10'; LocalPort = [uint16]($script:Machine.DynamicPorts.tcp[0] + $port); RemoteAddress = '192.0.2.30'; RemotePort = [uint16]443; State = 'Established'; OwningProcess = [uint32]4 }
    }
}

function Stop-Process {
    # The service manager sees that the process has ended by itself.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([int] $Id, [switch] $Force)

    Add-HostCall -Text "Stop-Process $Id"
    if ($Id -eq $script:Machine.Hns.Process) { return Restart-HostHns }
    foreach ($name in @($script:Machine.Running.Keys)) {
        if ($Id -eq (Get-HostProcessId -Name $name)) { return Stop-HostProcess -Name $name -Message 'killed' }
    }
    Write-Error -Message "Cannot find a process with the process identifier $Id."
}

function Get-Process {
    # By the numbers that Get-NetTCPConnection and Win32_Service gave, or by name.
    [CmdletBinding()]
    param([int] $Id, [string] $Name)

    if ($Name) {
        if ($Name -eq 'ovsdb-server' -and (Test-HostOvs)) { return [pscustomobject]@{ Id = 5000; Name = $Name; ProcessName = $Name } }
        Write-Error -Message "Cannot find a process with the name `"$Name`"."
        return
    }
    if ($Id -eq $script:Machine.Hns.Process) { return [pscustomobject]@{ Id = $Id; Name = 'svchost'; ProcessName = 'svchost'; StartTime = $script:Epoch.AddSeconds($script:Machine.Hns.Start).ToLocalTime() } }
    $listener = @(Get-HostListener)[$Id - 4001]
    if ($null -eq $listener) { Write-Error -Message "Cannot find a process with the process identifier $Id."; return }
    [pscustomobject]@{ Id = $Id; Name = $listener.Program; ProcessName = $listener.Program }
}
