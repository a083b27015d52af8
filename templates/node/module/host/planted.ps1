# What others have put into a folder.

function Get-NodePlanted {
    # Why what lies in a folder cannot be trusted, at most so many reasons; what lies behind a link is not asked.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        # Folders below it that others write to, and that are asked for by themselves.
        [Parameter()] [string[]] $Except = @(),
        # Leaves links out: the kubelet makes some, of the newest certificate and of the logs of containers.
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
            Get-NodePlanted -LiteralPath $path -Except $Except -NoLink:$NoLink
        }
    }
}

function Protect-NodeFolder {
    # Gives a folder its list, and says what others have put into it until then. It gets its former list back then,
    # so that the next run does not take what lies there for its own.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter()] [string[]] $Except = @(),
        [Parameter()] [switch] $NoLink
    )

    $before = "$((Get-Acl -LiteralPath $LiteralPath).Sddl)"
    Protect-NodePath -LiteralPath $LiteralPath -Sddl $script:ProtectedFolder
    $why = @(Get-NodePlanted -LiteralPath $LiteralPath -Except $Except -NoLink:$NoLink)
    if ($why.Count -gt 0) { Protect-NodePath -LiteralPath $LiteralPath -Sddl $before }
    $why
}
