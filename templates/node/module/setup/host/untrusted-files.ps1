# Finds files in a folder that other users could have placed or changed.

function Get-NodeUntrustedFile {
    # Reasons not to trust the contents of a folder, at most so many. Targets of links are not checked.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        # Subfolders that other users write to, and that are checked separately.
        [Parameter()] [string[]] $Except = @(),
        # Skips links: the kubelet creates some, to the newest certificate and to the logs of containers.
        [Parameter()] [switch] $NoLink
    )

    foreach ($child in @(Get-ChildItem -LiteralPath $LiteralPath -Force)) {
        $path = "$LiteralPath\$($child.Name)"
        if ($Except -contains $path) { continue }
        if ($NoLink -and $child.Attributes -band [System.IO.FileAttributes]::ReparsePoint) { continue }
        $why = Get-NodeDistrust -LiteralPath $path
        if ($why) {
            $why
        } elseif ($child.PSIsContainer) {
            Get-NodeUntrustedFile -LiteralPath $path -Except $Except -NoLink:$NoLink
        }
    }
}

function Protect-NodeFolder {
    # Sets the access list of a folder, and returns reasons not to trust what it already contains. If there are
    # any, restores the former access list, so that the next run does not trust the contents either.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter()] [string[]] $Except = @(),
        [Parameter()] [switch] $NoLink
    )

    $before = "$((Get-Acl -LiteralPath $LiteralPath).Sddl)"
    Protect-NodePath -LiteralPath $LiteralPath -Sddl $script:ProtectedFolder
    $why = @(Get-NodeUntrustedFile -LiteralPath $LiteralPath -Except $Except -NoLink:$NoLink)
    if ($why.Count -gt 0) { Protect-NodePath -LiteralPath $LiteralPath -Sddl $before }
    $why
}
