# Paths, and taking away what is there.

function Resolve-NodePath {
    # The path that .NET understands. .NET knows neither PowerShell's drives nor its location.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
}

function Get-NodeParent {
    # The folder of a path on the node, by its text: Split-Path writes it in the style of the host.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $cut = $LiteralPath.LastIndexOfAny([char[]]'\/')
    if ($cut -le 0) { return '' }
    $parent = $LiteralPath.Substring(0, $cut)
    if ($parent.EndsWith(':')) { return "$parent\" }
    $parent
}

function Clear-NodePath {
    # Takes a file or a folder away, if it is there. Of a link only the link goes: volumes of pods are links.
    # Remove-Item of 5.1 fails at a folder with one: https://github.com/PowerShell/PowerShell/issues/621
    [CmdletBinding()]
    [OutputType([void])]
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
