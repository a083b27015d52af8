# Checks of the machine: disk, drive, firmware, name, and what else is at home here.

$script:PreflightKind['freeDisk'] = 'Test-NodeFreeDisk'
$script:PreflightKind['volume'] = 'Test-NodeVolume'
$script:PreflightKind['systemDrive'] = 'Test-NodeSystemDrive'
$script:PreflightKind['secureBootOff'] = 'Test-NodeSecureBootOff'
$script:PreflightKind['nodeName'] = 'Test-NodeName'
$script:PreflightKind['providerID'] = 'Test-NodeProviderID'
$script:PreflightKind['otherEngines'] = 'Test-NodeOtherEngine'

function Test-NodeFreeDisk {
    # Whether a drive has room: the system's, or the one that is named.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $drive = if ($null -ne $Need['drive']) { $Need['drive'] } else { 'C:' }
    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='$drive'"
    $free = if ($null -eq $disk) { 0 } else { [math]::Floor($disk.FreeSpace / 1GB) }
    Write-NodeDetail -Text "$drive has $free GiB free, wanted $($Need['gib'])"
    $free -ge $Need['gib']
}

function Test-NodeVolume {
    # Whether a drive is there on which containerd can keep layers: local, with the file system that its
    # snapshotter takes. https://github.com/containerd/containerd/blob/main/plugins/snapshots/windows/common.go
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='$($Need['drive'])'"
    if ($null -eq $disk) {
        Write-NodeDetail -Text "there is no drive $($Need['drive']); attach and format the disk first"
        return $false
    }
    # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-logicaldisk
    $local = 3
    $good = $disk.DriveType -eq $local -and $disk.FileSystem -eq 'NTFS'
    $what = if ($disk.DriveType -eq $local) { "$($disk.FileSystem)".Trim() } else { 'no local disk' }
    Write-NodeDetail -Text "$($Need['drive']) is $what, wanted a local disk with NTFS"
    $good
}

function Test-NodeSystemDrive {
    # Whether Windows lies on C:, where all paths of Kubernetes point.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    Write-NodeDetail -Text "the system drive is $env:SystemDrive"
    $env:SystemDrive -eq 'C:'
}

function Test-NodeSecureBootOff {
    # Whether the firmware lets drivers load that Microsoft did not sign.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $key = 'HKLM:\SYSTEM\CurrentControlSet\Control\SecureBoot\State'
    $on = 1 -eq (Get-NodeRegistryData -Key $key -Name 'UEFISecureBootEnabled')
    Write-NodeDetail -Text $(if ($on) { 'Secure Boot is on' } else { 'Secure Boot is off' })
    -not $on
}

function Test-NodeName {
    # Whether the node's name is one that Kubernetes takes (RFC 1123). It is also the label
    # kubernetes.io/hostname, which holds 63 characters: a longer one gets its certificate, and is then refused.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = Get-NodeFact -Name 'nodeName'
    $label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
    $good = $name.Length -le 63 -and $name -cmatch "^$label(\.$label)*$"
    $long = $null -ne $Need['warnAbove'] -and $name.Length -gt $Need['warnAbove']
    $more = if (-not $good) {
        '; Kubernetes takes at most 63 lower-case letters, digits, dashes and dots'
    } elseif ($long) {
        "; Windows cuts it at $($Need['warnAbove']) characters in some places"
    }
    Write-NodeDetail -Text "the node's name is '$name'$more"
    $good
}

function Test-NodeProviderID {
    # Whether the file holds a cloud's id of a machine, and not what a metadata service says when it has none.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $id = Get-NodeFact -Name 'providerID'
    Write-NodeDetail -Text "the provider id is '$id', wanted one such as aws:///eu-west-1a/i-0123456789abcdef0"
    $id -cmatch '^[a-z][a-z0-9.+-]*://\S+$'
}

function Test-NodeOtherEngine {
    # Whether no other container engine, and no other agent of Kubernetes, is at home here.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = @($Need['services'] | Where-Object -FilterScript { Test-Path -LiteralPath "$script:Services\$_" })
    $found += @(Get-NodeForeignKubelet)
    Write-NodeDetail -Text $(
        if ($found.Count -gt 0) { "these services are here: $($found -join ', ')" } else { 'there is none' }
    )
    $found.Count -eq 0
}

function Get-NodeForeignKubelet {
    # A service kubelet that no run of winnode has made, with its program: of an image of a cloud, or of a person.
    # The user data of EKS makes one by this name: https://github.com/bgsilvait/EKS/tree/master/Windows
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $command = "$(Get-NodeRegistryData -Key "$script:Services\kubelet" -Name 'ImagePath')"
    if ($command -eq '') { return }
    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'service' -or $step['name'] -cne 'kubelet') { continue }
        if (Test-NodeNoted -Step $step) { return }
    }
    "kubelet ($command)"
}
