# Resolves paths.

function Resolve-NodePath {
    # The path for .NET, which knows neither PowerShell's drives nor its current location.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
}

function Get-NodeParent {
    # The parent folder of a path on the node. Split-Path would use the separators of the host that runs this.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $cut = $LiteralPath.LastIndexOfAny([char[]]'\/')
    if ($cut -le 0) { return '' }
    $parent = $LiteralPath.Substring(0, $cut)
    if ($parent.EndsWith(':')) { return "$parent\" }
    $parent
}
