# Checks the machine: disk, drive, firmware, name, and other container engines.

$script:PreflightKind['freeDisk'] = 'Test-NodeFreeDisk'
$script:PreflightKind['volume'] = 'Test-NodeVolume'
$script:PreflightKind['systemDrive'] = 'Test-NodeSystemDrive'
$script:PreflightKind['secureBootOff'] = 'Test-NodeSecureBootOff'
$script:PreflightKind['physicalAdapter'] = 'Test-NodePhysicalAdapter'
$script:PreflightKind['encryption'] = 'Test-NodeEncryption'
$script:PreflightKind['nodeName'] = 'Test-NodeName'
$script:PreflightKind['providerID'] = 'Test-NodeProviderID'
$script:PreflightKind['otherEngines'] = 'Test-NodeOtherEngine'

function Test-NodeFreeDisk {
    # Whether a drive has enough free space: the system drive, or the one in the check.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $drive = if ($null -ne $Need['drive']) { $Need['drive'] } else { 'C:' }
    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='$drive'"
    $free = if ($null -eq $disk) { 0 } else { [math]::Floor($disk.FreeSpace / 1GB) }
    Write-NodeDetail -Text "$drive has $free GiB free, expected $($Need['gib'])"
    $free -ge $Need['gib']
}

function Test-NodeVolume {
    # Whether the drive for containerd's layers exists: local, with a file system that its snapshotter supports.
    # https://github.com/containerd/containerd/blob/main/plugins/snapshots/windows/common.go
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='$($Need['drive'])'"
    if ($null -eq $disk) {
        Write-NodeDetail -Text "drive $($Need['drive']) not found; attach and format the disk first"
        return $false
    }
    # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-logicaldisk
    $local = 3
    $good = $disk.DriveType -eq $local -and $disk.FileSystem -eq 'NTFS'
    $what = if ($disk.DriveType -eq $local) { "$($disk.FileSystem)".Trim() } else { 'not a local disk' }
    Write-NodeDetail -Text "$($Need['drive']) is $what, expected a local disk with NTFS"
    $good
}

function Test-NodeSystemDrive {
    # Whether Windows is on C:, where all paths of Kubernetes are.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    Write-NodeDetail -Text "the system drive is $env:SystemDrive, expected C:"
    $env:SystemDrive -eq 'C:'
}

function Test-NodeSecureBootOff {
    # Whether Secure Boot allows unsigned drivers.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $key = 'HKLM:\SYSTEM\CurrentControlSet\Control\SecureBoot\State'
    $on = 1 -eq (Get-NodeRegistryData -Key $key -Name 'UEFISecureBootEnabled')
    Write-NodeDetail -Text $(if ($on) { 'Secure Boot is on' } else { 'Secure Boot is off' })
    -not $on
}

function Test-NodePhysicalAdapter {
    # Whether the adapter with the address of the machine belongs to no other virtual switch.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = Get-NodeAddress
    $name = $found.InterfaceAlias
    if ($null -ne (Get-NodeHnsNetwork -Name $Need['network'])) {
        Write-NodeDetail -Text "the network plugin has created $($Need['network'])"
        return $true
    }
    $adapter = @(Get-NetAdapter -ErrorAction Stop | Where-Object -FilterScript { $_.Name -ceq $name })[0]
    $virtual = $null -ne $adapter -and $adapter.Virtual
    $others = @(
        # Networks of these types hold no adapter: Windows creates one for the feature Containers or Hyper-V.
        if (Test-NodeHnsPresent) {
            Get-NodeHnsObject -Kind Network | Where-Object -FilterScript { $_.Type -notin 'nat', 'ics' }
        }
        Get-NodeVirtualSwitch | Where-Object -FilterScript { "$($_.SwitchType)" -eq 'External' }
    )
    $names = @($others | Select-Object -ExpandProperty Name -Unique) -join ', '
    $held = if (-not $virtual) {
        "the adapter $name is physical"
    } elseif ($others.Count -eq 0) {
        "the adapter $name is virtual: remove the team or the virtual switch that has the physical one"
    } else {
        "the adapter $name is virtual: remove the HNS network or virtual switch that has the physical one: $names"
    }
    Write-NodeDetail -Text $held
    -not $virtual
}

function Test-NodeEncryption {
    # Whether BitLocker protects a drive: not while it still encrypts, nor while protection is suspended.
    # https://learn.microsoft.com/windows/win32/secprov/getprotectionstatus-win32-encryptablevolume
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $where = @{
        Namespace = 'root/CIMV2/Security/MicrosoftVolumeEncryption'
        ClassName = 'Win32_EncryptableVolume'
        Filter    = "DriveLetter='$($Need['drive'])'"
    }
    $problem = $null
    # Without the feature BitLocker, Windows Server does not have the namespace.
    $volume = try { Get-CimInstance @where -ErrorAction Stop } catch { $problem = $_ }
    $on = $null -ne $volume -and $volume.ProtectionStatus -eq 1
    $state = if ($null -ne $problem) { $problem.Exception.Message } elseif ($on) { 'on' } else { 'off' }
    Write-NodeDetail -Text "BitLocker protection of $($Need['drive']): $state, expected on"
    $on
}

function Test-NodeName {
    # Whether the node name is valid in Kubernetes (RFC 1123). It is also the label kubernetes.io/hostname with at
    # most 63 characters: with a longer one, the node gets its certificate, but cannot register.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = Get-NodeFact -Name 'nodeName'
    $label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
    $good = $name.Length -le 63 -and $name -cmatch "^$label(\.$label)*$"
    $long = $null -ne $Need['warnAbove'] -and $name.Length -gt $Need['warnAbove']
    $more = if (-not $good) {
        '; Kubernetes allows at most 63 lower-case letters, digits, dashes and dots'
    } elseif ($long) {
        "; Windows cuts it at $($Need['warnAbove']) characters in some places"
    }
    Write-NodeDetail -Text "the node name is '$name'$more"
    $good
}

function Test-NodeProviderID {
    # Whether the file contains a cloud's instance ID, and not an error of the metadata service.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $id = Get-NodeFact -Name 'providerID'
    Write-NodeDetail -Text "the provider ID is '$id', expected e.g. aws:///eu-west-1a/i-0123456789abcdef0"
    $id -cmatch '^[a-z][a-z0-9.+-]*://\S+$'
}

function Test-NodeOtherEngine {
    # Whether no other container engine and no other kubelet is installed.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = @($Need['services'] | Where-Object -FilterScript { Test-Path -LiteralPath "$script:Services\$_" })
    $found += @(Get-NodeForeignKubelet)
    Write-NodeDetail -Text $(
        if ($found.Count -gt 0) { "other services found: $($found -join ', ')" } else { 'none found' }
    )
    $found.Count -eq 0
}

function Get-NodeForeignKubelet {
    # A service kubelet that winnode did not create, with its command line: from a cloud image, or installed by
    # hand. User data for Amazon's machines creates one by this name:
    # https://github.com/bgsilvait/EKS/tree/master/Windows
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $command = "$(Get-NodeRegistryData -Key "$script:Services\kubelet" -Name 'ImagePath')"
    if ($command -eq '') { return }
    foreach ($step in Get-NodeKindStep -Kind service -Name 'kubelet') {
        if (Test-NodeStateSaved -Step $step) { return }
    }
    "kubelet ($command)"
}
