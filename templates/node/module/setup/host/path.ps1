# Removes files and folders.

function Clear-NodePath {
    # Removes a file or a folder if it exists. Of a link only the link is removed: volumes of pods are links.
    # Remove-Item of 5.1 fails on a folder with a link: https://github.com/PowerShell/PowerShell/issues/621
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $LiteralPath)

    if ($LiteralPath -eq '' -or -not (Test-Path -LiteralPath $LiteralPath)) { return }
    $item = Get-Item -LiteralPath $LiteralPath -Force
    $link = [bool]($item.Attributes -band [System.IO.FileAttributes]::ReparsePoint)
    $path = Resolve-NodePath -LiteralPath $LiteralPath
    if ($item.PSIsContainer) {
        $children = @(if (-not $link) { Get-ChildItem -LiteralPath $LiteralPath -Force })
        foreach ($child in $children) { Clear-NodePath -LiteralPath "$LiteralPath\$($child.Name)" }
        [System.IO.Directory]::Delete($path)
    } else {
        if (-not $link) { [System.IO.File]::SetAttributes($path, 'Normal') }
        [System.IO.File]::Delete($path)
    }
}
