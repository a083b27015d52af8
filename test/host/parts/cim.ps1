# CIM: the computer, the operating system, the drive C:, and services as Win32_Service.

function Get-CimInstance {
    [CmdletBinding()]
    param([string] $Namespace = 'root/cimv2', [string] $ClassName, [string] $Filter)

    Assert-HostHealth -On $ClassName
    if ($Namespace -eq 'root/CIMV2/Security/MicrosoftVolumeEncryption' -and $ClassName -eq 'Win32_EncryptableVolume') {
        # https://learn.microsoft.com/windows/win32/secprov/win32-encryptablevolume
        if ($null -eq $script:Machine.BitLocker) { throw 'Invalid namespace ' }
        if ($Filter -ne "DriveLetter='C:'") { return }
        return [pscustomobject]@{ DriveLetter = 'C:'; ProtectionStatus = [uint32]$script:Machine.BitLocker }
    }
    if ($Namespace -ne 'root/cimv2') { throw 'Invalid namespace ' }
    if ($ClassName -eq 'Win32_OperatingSystem') {
        # From the clock and the time since the start: it moves with the clock.
        $boot = $script:Epoch.AddSeconds($script:Machine.Boot + $script:Machine.Clock).ToLocalTime()
        return [pscustomobject]@{
            LastBootUpTime = $boot; Caption = 'Microsoft Windows Server Datacenter'
            TotalVisibleMemorySize = [uint64]16GB / 1KB; FreePhysicalMemory = [uint64]$script:Machine.FreeMemory / 1KB; TotalVirtualMemorySize = [uint64]20GB / 1KB; FreeVirtualMemory = [uint64]12GB / 1KB
        }
    }
    if ($ClassName -eq 'Win32_Process') {
        # Of daemons: another process after each start.
        $daemon = [regex]::Match($Filter, "^Name='([^']*)\.exe'$").Groups[1].Value
        if ($daemon) {
            if (-not $script:Machine.Running.ContainsKey($daemon)) { return }
            return [pscustomobject]@{ Name = "$daemon.exe"; ProcessId = Get-HostProcessId -Name $daemon; CommandLine = '' }
        }
        if ($Filter -ne 'ProcessId=4') { throw "nothing stands in for $Filter" }
        # Written down when the process was made: it does not move.
        $made = $script:Epoch.AddSeconds($script:Machine.Boot + $script:Machine.ClockAtBoot).ToLocalTime()
        return [pscustomobject]@{ ProcessId = [uint32]4; Name = 'System'; CreationDate = $made }
    }
    if ($ClassName -eq 'Win32_ComputerSystem') {
        # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-computersystem
        $domain = $script:Machine.Domain
        return [pscustomobject]@{ PartOfDomain = $domain -ne ''; Domain = $(if ($domain) { $domain } else { 'WORKGROUP' }) }
    }
    if ($ClassName -eq 'Win32_PageFileUsage') {
        return [pscustomobject]@{ Name = 'C:\pagefile.sys'; AllocatedBaseSize = [uint32]4096; CurrentUsage = [uint32]12; PeakUsage = [uint32]90 }
    }
    if ($ClassName -eq 'Win32_LogicalDisk') {
        $system = @{ DeviceID = 'C:'; DriveType = 3; FileSystem = 'NTFS'; FreeSpace = Get-HostFreeSpace; Size = $script:Machine.Size }
        foreach ($volume in @($system) + @($script:Machine.Volumes)) {
            if ($Filter -and $Filter -ne "DeviceID='$($volume.DeviceID)'") { continue }
            $volume.FreeSpace = [uint64]$volume.FreeSpace
            $volume.Size = [uint64]$(if ($volume['Size']) { $volume.Size } else { 2 * $volume.FreeSpace })
            [pscustomobject]$volume
        }
        return
    }
    if ($ClassName -ne 'Win32_Service') { throw "Invalid class $ClassName" }
    $name = [regex]::Match($Filter, "^Name='([^']*)'$").Groups[1].Value
    # The process of HNS runs no other service.
    if ($Filter -eq "ProcessId=$($script:Machine.Hns.Process)") { $name = 'hns' }
    if ($name -eq 'hns' -and $script:Machine.Features['Containers'] -eq 'Installed') { return [pscustomobject]@{ Name = $name; Class = 'Win32_Service'; ProcessId = [uint32]$script:Machine.Hns.Process } }
    if ($name -in @(Get-HostServiceName)) { [pscustomobject]@{ Name = $name; Class = 'Win32_Service' } }
}

function Get-HostProcessId {
    # Beyond the numbers of HNS.
    param([string] $Name)

    [uint32](100000 + [math]::Floor(10 * [double]$script:Machine.Running[$Name]))
}

function Invoke-CimMethod {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([object] $InputObject, [string] $MethodName, [hashtable] $Arguments)

    if ($MethodName -ne 'Change') { throw "Invalid method $MethodName" }
    Assert-HostHealth -On 'Win32_Service.Change'
    [pscustomobject]@{ ReturnValue = [uint32](Edit-HostService -Name $InputObject.Name -Change $Arguments) }
}
