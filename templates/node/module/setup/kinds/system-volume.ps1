# systemVolume: drive C: as large as its disk allows.

$script:StepKind['systemVolume'] = @{ Noun = 'NodeSystemVolume'; Subject = 'drive'; Key = @(); Reset = 'keep' }

function Get-NodeVolumeRoom {
    # The largest size of the partition in bytes if it can grow by more than 1 GiB, else 0. The disk is asked
    # first, as AKS does, because Get-PartitionSupportedSize takes long.
    # https://github.com/Azure/AgentBaker/blob/master/staging/cse/windows/configfunc.ps1
    [CmdletBinding()]
    [OutputType([long])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $letter = $Step['drive'].Substring(0, 1)
    $partition = Get-Partition -DriveLetter $letter -ErrorAction Stop
    $disk = Get-Disk -Number $partition.DiskNumber -ErrorAction Stop
    $free = $disk.Size - $disk.AllocatedSize
    if ($free -le 1GB) { return 0 }
    $largest = (Get-PartitionSupportedSize -DriveLetter $letter -ErrorAction Stop).SizeMax
    if ($largest - $partition.Size -gt 1GB) { return $largest }
    Write-NodeDetail -Text ('{0:0} GiB of the disk are free, but not behind {1}' -f ($free / 1GB), $Step['drive'])
    0
}

function Test-NodeSystemVolume {
    # True if the drive cannot grow by more than 1 GiB.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $largest = Get-NodeVolumeRoom -Step $Step
    if ($largest -gt 0) { Write-NodeDetail -Text ('the drive can have {0:0} GiB' -f ($largest / 1GB)) }
    $largest -eq 0
}

function Set-NodeSystemVolume {
    # Expands the drive. It is not made smaller again.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $largest = Get-NodeVolumeRoom -Step $Step
    if ($largest -gt 0 -and $PSCmdlet.ShouldProcess($Step['drive'], 'expand')) {
        Resize-Partition -DriveLetter $Step['drive'].Substring(0, 1) -Size $largest -ErrorAction Stop
    }
}
