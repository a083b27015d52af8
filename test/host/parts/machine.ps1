# The machine as data: what a fresh Windows Server says of itself, kept, restored and described.

# All there is to know, apart from the registry and the drive. Plain data only, so that it can be kept.
$script:Machine = $null

# Folder that is the drive C:.
$script:Root = ''

function New-HostMachine {
    # A freshly installed Windows Server Core with one network card, on a folder that becomes its drive C:.
    param([string] $Root, [int] $Build = 20348, [int] $Revision = 5020, [string] $Name = 'node-a')

    $script:Root = $Root
    foreach ($folder in 'Windows/System32/drivers/etc', 'Windows/INF', 'ProgramData', 'Program Files', 'Users') {
        $null = [System.IO.Directory]::CreateDirectory("$Root/$folder")
    }
    $script:Machine = @{
        Seconds = 0; Boot = 0; Clock = 0; ClockAtBoot = 0; Due = @(); Calls = @(); Faults = @{}; Administrator = $true; User = 'S-1-5-21-1-2-3-1000'; Runs = ''; FreeSpace = 40GB; Size = 100GB; Room = 0; Elsewhere = 0; Volumes = @(); Proxy = $null; Application = @(); Holders = @{}; Connections = 0; Crashing = @{}; Filler = ''; Tasked = 0; TaskRuns = $false; Wakes = @(); Given = ''; CodePage = 437
        Features = @{
            'Containers' = 'Available'; 'Hyper-V' = 'Available'; 'Hyper-V-PowerShell' = 'Available'
            'Windows-Defender' = 'Installed'
            'RemoteAccess' = 'Available'; 'RSAT-RemoteAccess-PowerShell' = 'Available'; 'Routing' = 'Available'
        }
        # Whether the processor can virtualise, and whether Server Manager sees Hyper-V without its hypervisor.
        Virtualises = $true; SeesParts = $false
        Parts = @{ 'Microsoft-Hyper-V' = 'Disabled'; 'Microsoft-Hyper-V-Online' = 'Disabled' }
        Remote = @{ Routing = 'Uninstalled'; Vpn = 'Uninstalled' }; Kept = @(); Routes = @(); CloudRoute = ''; Running = @{}; Made = 0; Wrapped = @{}; Stopping = @(); Failures = @{}; Processes = 0; Handles = @{}; Held = @(); Readers = @(); Hanging = @(); Switches = @{}
        Rules = @{}; PolicyRules = @(); Category = 'Public'; Logs = @{}; Tasks = @{}; Exclusions = @(); ExcludedFolders = @(); ExclusionPolicy = ''; Networks = @(); VMSwitches = @(); UplinkSwitch = ''; Nats = @(); Endpoints = @(); PolicyLists = @(); Forwarding = @()
        Address = '192.0.2.10'; Domain = ''; BitLocker = $null; Extra = @(); Cards = @(); Hns = @{ Process = 1200; Start = 0 }; Pipe = 0; Images = @(); Containers = @(); Snapshots = @(); Pods = @(); PodSubnet = '10.244.3.0/24'; Moving = $false; Mtu = 1500; Network = @{ Address = 1; Interface = 3 }; Cluster = $null; Events = @(); ServiceEvents = @(); HnsDisplayName = 'Host Network Service'; DaemonSet = $false
        NameServers = @('192.0.2.53', '192.0.2.54'); TimeSource = 'time.windows.com,0x8'; FreeMemory = 9GB; ExcludedPorts = @('tcp', 'udp' | ForEach-Object -Process { @{ Protocol = $_; From = 50000; To = 50059; Mark = '*' } }); DynamicPorts = @{ tcp = @(49152, 16384); udp = @(49152, 16384) }
    }
    [WinNodeHost.Registry]::Import(@())
    Add-HostRegistry -Build $Build -Revision $Revision -Name $Name
    New-HostCluster
    Connect-HostMachine
}

function Add-HostRegistry {
    # The values that this project reads, as a fresh Windows Server has them.
    param([int] $Build, [int] $Revision, [string] $Name)

    $windows = 'SOFTWARE\Microsoft\Windows NT\CurrentVersion'
    $control = 'SYSTEM\CurrentControlSet\Control'
    $services = 'SYSTEM\CurrentControlSet\Services'
    $manager = 'BCD00000000\Objects\{9dea862c-5cdd-4e70-acc1-f32b344d4795}\Elements\23000003'
    $rows = @(
        , @($windows, 'CurrentBuildNumber', 'String', "$Build")
        , @($windows, 'UBR', 'DWord', $Revision)
        , @($windows, 'ProductName', 'String', 'Windows Server Datacenter')
        , @($windows, 'InstallationType', 'String', 'Server Core')
        , @("$services\Tcpip\Parameters", 'Hostname', 'String', $Name)
        , @("$services\Tcpip\Parameters", 'NV Hostname', 'String', $Name)
        , @('SYSTEM\HardwareConfig', 'LastConfig', 'String', '{4c4c4544-0042-3510-8050-b4c04f564433}')
        , @("$services\RemoteAccess", 'ImagePath', 'ExpandString', '%SystemRoot%\System32\svchost.exe -k netsvcs')
        , @("$services\RemoteAccess", 'DisplayName', 'String', 'Routing and Remote Access')
        , @("$services\RemoteAccess", 'Start', 'DWord', 4)
        , @("$services\W32Time", 'ImagePath', 'ExpandString', '%SystemRoot%\system32\svchost.exe -k LocalService')
        , @("$services\W32Time", 'DisplayName', 'String', 'Windows Time')
        , @("$services\W32Time", 'Start', 'DWord', 3)
        # https://learn.microsoft.com/windows/win32/api/winsvc/ns-winsvc-service_trigger : 3 is a domain, 1 starts, 2 stops.
        , @("$services\W32Time\TriggerInfo\0", 'Type', 'DWord', 3)
        , @("$services\W32Time\TriggerInfo\0", 'Action', 'DWord', 1)
        , @("$services\W32Time\TriggerInfo\1", 'Type', 'DWord', 3)
        , @("$services\W32Time\TriggerInfo\1", 'Action', 'DWord', 2)
        , @("$services\W32Time\Parameters", 'NtpServer', 'String', 'time.windows.com,0x8')
        , @("$services\W32Time\Parameters", 'Type', 'String', 'NTP')
        , @("$control\Session Manager\Environment", 'Path', 'ExpandString', '%SystemRoot%\system32;%SystemRoot%')
        , @("$control\Session Manager\Memory Management", 'PagingFiles', 'MultiString', @('?:\pagefile.sys'))
        , @("$control\Power\User\PowerSchemes", 'ActivePowerScheme', 'String', '381b4222-f694-41f0-9685-ff5bb260df2e')
        , @("$control\SecureBoot\State", 'UEFISecureBootEnabled', 'DWord', 0)
        , @($manager, 'Element', 'String', '{b2721d73-1db4-4c62-bf78-c548a880142d}')
    )
    $null = [WinNodeHost.Registry]::Create('BCD00000000\Objects\{b2721d73-1db4-4c62-bf78-c548a880142d}\Elements')
    $null = [WinNodeHost.Registry]::Create('SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing')
    foreach ($store in 'ROOT', 'TrustedPublisher') { $null = [WinNodeHost.Registry]::Create("SOFTWARE\Microsoft\SystemCertificates\$store\Certificates") }
    foreach ($row in $rows) { [WinNodeHost.Registry]::Set($row[0], $row[1], $row[2], $row[3]) }
}

function Connect-HostMachine {
    # Mounts the folder as C: and sets what every process on Windows finds in its environment.
    Get-PSDrive -Name C -ErrorAction Ignore | Remove-PSDrive -Scope Global -Force
    $null = New-PSDrive -Name C -PSProvider FileSystem -Root $script:Root -Scope Global
    $env:SystemDrive = 'C:'
    $env:SystemRoot = 'C:\Windows'
    $env:ProgramData = 'C:\ProgramData'
    Update-HostCommand
}

function Save-HostMachine {
    # Writes the machine beside a copy of its drive, or only itself.
    param([string] $Path)

    $data = @{ Machine = $script:Machine; Registry = [WinNodeHost.Registry]::Export() }
    [System.IO.File]::WriteAllText($Path, [System.Management.Automation.PSSerializer]::Serialize($data, 8))
}

function Restore-HostMachine {
    # Reads what Save-HostMachine wrote, for an existing drive.
    param([string] $Path, [string] $Root)

    $text = [System.IO.File]::ReadAllText($Path)
    $data = ConvertTo-HostData -InputObject ([System.Management.Automation.PSSerializer]::Deserialize($text))
    $script:Machine = $data['Machine']
    # One and the same again.
    foreach ($due in $script:Machine.Due) { if ($due.Name -like 'proxy-*') { $script:Machine.Proxy = $due.Subject } }
    $script:Root = $Root
    [WinNodeHost.Registry]::Import($data['Registry'])
    [WinNodeHost.ApiServer]::Now = Get-HostTrueTime
    Restore-HostCluster
    Connect-HostMachine
}

function ConvertTo-HostData {
    # Deserialised lists and maps as arrays and hashtables again.
    param([object] $InputObject)

    # Not as the output of an if: that would take a list of one apart.
    $value = $InputObject
    if ($value -is [psobject]) { $value = $value.PSObject.BaseObject }
    if ($value -is [System.Collections.IDictionary]) {
        $map = @{}
        foreach ($key in @($value.Keys)) { $map["$key"] = ConvertTo-HostData -InputObject $value[$key] }
        return $map
    }
    if ($value -is [System.Collections.IList]) {
        $list = @(foreach ($item in $value) { , (ConvertTo-HostData -InputObject $item) })
        return , $list
    }
    , $value
}

function Copy-HostMachine {
    # A copy of the machine and its drive in a separate folder: what a power cut at this moment leaves.
    param([string] $Destination)

    $null = [System.IO.Directory]::CreateDirectory($Destination)
    # Also the access lists, which are extended attributes here.
    & /bin/cp -a $script:Root "$Destination/c"
    Save-HostMachine -Path "$Destination/machine.xml"
}

function Get-HostDescription {
    # Every file, registry value and setting, as one line of text by its name; logs only by their names.
    $lines = [WinNodeHost.Registry]::Describe()
    $machine = $script:Machine
    foreach ($name in $machine.Features.Keys) { $lines["feature $name"] = $machine.Features[$name] }
    foreach ($name in $machine.Parts.Keys) { $lines["part $name"] = $machine.Parts[$name] }
    foreach ($name in $machine.Running.Keys) { $lines["running $name"] = Get-HostServiceStatus -Name $name }
    foreach ($name in $machine.Rules.Keys) { $lines["rule $name"] = ConvertTo-HostLine -Data $machine.Rules[$name] }
    foreach ($name in $machine.Tasks.Keys) { $lines["task $name"] = ConvertTo-HostLine -Data $machine.Tasks[$name] }
    $lines['dynamic tcp ports'] = "$($machine.DynamicPorts.tcp)"
    foreach ($range in $machine.ExcludedPorts) { $lines["excluded $($range.Protocol) $($range.From)-$($range.To)"] = 'yes' }
    foreach ($name in $machine.ExcludedFolders) { $lines["excluded folder $name"] = 'yes' }
    foreach ($name in $machine.Exclusions) { $lines["exclusion $name"] = 'yes' }
    foreach ($network in $machine.Networks) { $lines["network $($network.Name)"] = $network.Type }
    foreach ($name in $machine.VMSwitches) { $lines["switch $name"] = 'yes' }
    foreach ($name in $machine.Nats) { $lines["nat $name"] = 'yes' }
    foreach ($endpoint in $machine.Endpoints) { $lines["endpoint $($endpoint.ID)"] = $endpoint.VirtualNetworkName }
    foreach ($list in $machine.PolicyLists) { $lines["policy list $($list.ID)"] = 'yes' }
    foreach ($image in $machine.Images) { $lines["image $image"] = 'yes' }
    foreach ($pod in $machine.Pods) { $lines["pod $($pod.metadata.name)"] = 'yes' }
    foreach ($item in Get-ChildItem -LiteralPath $script:Root -Recurse -Force) {
        $path = 'C:' + $item.FullName.Substring($script:Root.Length).Replace('/', '\')
        # A copy of what was before the last change.
        if ($path -like '*\state.json.good') { continue }
        # Each is another one.
        $path = $path -replace '(kubelet-client-)\d[-\d]+', '${1}TIME'
        $access = [WinNodeHost.AccessList]::Read($item.FullName)
        $lines["path $path"] = "$(Get-HostContent -Item $item) $access".Trim()
    }
    $lines
}

function ConvertTo-HostLine {
    # Plain data as one line, the same in every process.
    param([object] $Data)

    if ($Data -is [System.Collections.IDictionary]) {
        $parts = foreach ($key in @($Data.Keys | Sort-Object)) { '{0}={1}' -f $key, (ConvertTo-HostLine -Data $Data[$key]) }
        return '{{{0}}}' -f ($parts -join '; ')
    }
    if ($Data -is [array]) {
        $parts = foreach ($item in $Data) { ConvertTo-HostLine -Data $item }
        return '[{0}]' -f ($parts -join ', ')
    }
    "$Data"
}

function Get-HostContent {
    # What a file holds, as a digest; only its existence for logs and for the lock, which is held open.
    param([System.IO.FileSystemInfo] $Item)

    if ($Item.PSIsContainer) { return 'folder' }
    if ($Item.Name -match '\.log(\.\d+)?$|^lock$') { return 'file' }
    if ($Item.Name -like 'kubelet-client-*') { return 'certificate' }
    # Which port the cluster has depends on the process.
    if ($Item.Name -like '*.conf') {
        $text = [System.IO.File]::ReadAllText($Item.FullName) -replace '127\.0\.0\.1:\d+', '127.0.0.1'
        return [System.Convert]::ToHexString([System.Security.Cryptography.SHA256]::HashData([System.Text.Encoding]::UTF8.GetBytes($text)))
    }
    # Its memory of restarts is about when, not about what.
    if ($Item.Name -eq 'state.json') {
        $text = [System.IO.File]::ReadAllText($Item.FullName) -replace '"(boot|looped)": "[^"]*"'
        $text = $text -replace '"restarts": \[[^\]]*\]' -replace '"(starts|hns)": \{[^}]*\}'
        # Nor about the port in what daemons read.
        $folder = "$script:Root/etc/kubernetes"
        $read = if ([System.IO.Directory]::Exists($folder)) { [System.IO.Directory]::GetFiles($folder, '*.conf') }
        foreach ($conf in $read) {
            $text = $text.Replace((Get-FileHash -LiteralPath $conf).Hash.ToLowerInvariant(), [System.IO.Path]::GetFileName($conf))
        }
        return [System.Convert]::ToHexString([System.Security.Cryptography.SHA256]::HashData([System.Text.Encoding]::UTF8.GetBytes($text)))
    }
    (Get-FileHash -LiteralPath $Item.FullName).Hash
}

function Add-HostCall {
    # Records a requested change.
    param([string] $Text)

    $script:Machine.Calls += $Text
}

function Get-HostCall {
    # The changes that were requested since Clear-HostCall.
    $script:Machine.Calls
}

function Clear-HostCall {
    # Forgets requested changes.
    $script:Machine.Calls = @()
    $script:Programs = @()
    [WinNodeHost.Registry]::Writes = 0
}

function Set-HostFact {
    # Describes the machine, by the names of New-HostMachine.
    param([string] $Name, [object] $Value)

    if (-not $script:Machine.ContainsKey($Name)) { throw "the machine has no $Name" }
    $script:Machine[$Name] = $Value
}

function Add-HostFault {
    # Makes the next calls of a stand-in fail, or hang for so many seconds.
    param([string] $On, [string] $Message = 'a fault was planted', [int] $Times = 1, [int] $Hangs = 0)

    $script:Machine.Faults[$On] = @{ Message = $Message; Times = $Times; Hangs = $Hangs }
}

function Assert-HostFunction {
    # The same for a command that is a function in 5.1: it goes on where its caller did not say -ErrorAction Stop
    # to it. Whether it is well.
    param([string] $On, [System.Collections.IDictionary] $Bound)

    try {
        Assert-HostHealth -On $On
    } catch {
        $action = if ($Bound.ContainsKey('ErrorAction')) { $Bound['ErrorAction'] } else { 'Continue' }
        Write-Error -Message "$_" -ErrorAction $action
        return $false
    }
    $true
}

function Assert-HostHealth {
    # Fails where a test has planted a fault: so many times, with these words; or hangs.
    param([string] $On)

    $fault = $script:Machine.Faults[$On]
    if ($null -eq $fault -or $fault.Times -lt 1) { return }
    $fault.Times--
    if ($fault['Hangs']) {
        $left = $script:Limit - $script:Machine.Seconds
        Start-Sleep -Seconds ([math]::Min([double]$fault.Hangs, $left))
        if ($fault.Hangs -lt $left) { return }
        throw 'this hung, and was left'
    }
    throw $fault.Message
}
