# Disks: the disk of drive C:. The partition takes all of it, except the free size that the scenario sets.

function Get-Partition {
    [CmdletBinding()]
    param([char] $DriveLetter)

    if ($DriveLetter -ne 'C') { Write-Error -Message 'No MSFT_Partition objects found.'; return }
    [pscustomobject]@{ DiskNumber = [uint32]0; DriveLetter = $DriveLetter; Size = [uint64]$script:Machine.Size }
}

function Get-Disk {
    [CmdletBinding()]
    param([uint32] $Number)

    $free = [uint64]($script:Machine.Room + $script:Machine.Elsewhere)
    [pscustomobject]@{ Number = $Number; Size = [uint64]$script:Machine.Size + $free; AllocatedSize = [uint64]$script:Machine.Size }
}

function Get-PartitionSupportedSize {
    [CmdletBinding()]
    param([char] $DriveLetter)

    [pscustomobject]@{ SizeMin = [uint64]20GB; SizeMax = [uint64]($script:Machine.Size + $script:Machine.Room) }
}

function Resize-Partition {
    [CmdletBinding()]
    param([char] $DriveLetter, [uint64] $Size)

    if ($Size -gt $script:Machine.Size + $script:Machine.Room) { throw 'Size Not Supported' }
    Add-HostCall -Text "Resize-Partition $DriveLetter $Size"
    $script:Machine.Room -= $Size - $script:Machine.Size
    $script:Machine.Size = $Size
}
