# Parts of a report from Windows and its programs.

function Get-NodeReportStart {
    # The boot time of the machine, or why it could not be read.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    $script = { (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime.ToUniversalTime() }
    try {
        $started = Invoke-NodeWithTimeout -Script $script -Seconds $script:Limit.ReportSeconds
        $started.ToString('yyyy-MM-ddTHH:mm:ssZ', [cultureinfo]::InvariantCulture)
    } catch {
        Add-NodeReadFailure -What 'start of the machine' -Why $_.Exception.GetBaseException().Message
    }
}

function Get-NodeReportMemory {
    # The memory of the machine and its page files.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    # Values of the machine are in KiB, values of page files in MiB.
    # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-operatingsystem
    # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-pagefileusage
    $names = 'TotalVisibleMemorySize', 'FreePhysicalMemory', 'TotalVirtualMemorySize', 'FreeVirtualMemory'
    Get-NodeReportItem -What 'memory' -Property $names -Script { Get-CimInstance -ClassName Win32_OperatingSystem }
    $names = 'Name', 'AllocatedBaseSize', 'CurrentUsage', 'PeakUsage'
    $files = { Get-CimInstance -ClassName Win32_PageFileUsage }
    Get-NodeReportItem -What 'page files' -Property $names -Script $files -Optional
}

function Get-NodeReportDefender {
    # Defender's exclusions, if Defender is installed.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    if ($null -eq (Get-Command -Name 'Get-MpPreference' -ErrorAction SilentlyContinue)) { return }
    $names = 'DisableRealtimeMonitoring', 'ExclusionProcess', 'ExclusionPath', 'ExclusionExtension'
    Get-NodeReportItem -What 'defender' -Property $names -Script { Get-MpPreference -ErrorAction Stop }
}

# Programs of Windows, which print in the language of Windows.
# https://learn.microsoft.com/troubleshoot/windows-server/networking/default-dynamic-port-range-tcpip-chang
# https://learn.microsoft.com/windows-server/networking/windows-time-service/windows-time-service-top
# https://learn.microsoft.com/windows/win32/winhttp/netsh-exe-commands
$script:ReportProgram = [ordered]@{
    excludedTcpPorts = @('netsh.exe', 'interface', 'ipv4', 'show', 'excludedportrange', 'protocol=tcp')
    excludedUdpPorts = @('netsh.exe', 'interface', 'ipv4', 'show', 'excludedportrange', 'protocol=udp')
    dynamicUdpPorts  = @('netsh.exe', 'interface', 'ipv4', 'show', 'dynamicport', 'udp')
    clock            = @('w32tm.exe', '/query', '/status')
    clockPeers       = @('w32tm.exe', '/query', '/peers')
    proxy            = @('netsh.exe', 'winhttp', 'show', 'proxy')
}

function Get-NodeReportProgramOutput {
    # The output of each of these programs, or why it has none.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $said = [ordered]@{}
    foreach ($name in @($script:ReportProgram.Keys)) {
        $program, $words = $script:ReportProgram[$name]
        try {
            $seconds = $script:Limit.ReportSeconds
            $lines = @(Read-NodeProgramOutput -FilePath $program -ArgumentList $words -Seconds $seconds)
            $said[$name] = Limit-NodeReportText -Text ($lines -join "`n").Trim()
        } catch {
            $said[$name] = Add-NodeReadFailure -What "$program $words" -Why $_.Exception.Message
        }
    }
    $said
}
