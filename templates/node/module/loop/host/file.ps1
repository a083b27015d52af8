# Reads files.

function Get-NodeDigest {
    # SHA-256 of a file in lower case, or an empty string if the file is missing.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $path = Resolve-NodePath -LiteralPath $LiteralPath
    if (-not [System.IO.File]::Exists($path)) { return '' }
    (Get-FileHash -LiteralPath $path -Algorithm SHA256 -ErrorAction Stop).Hash.ToLowerInvariant()
}

function Read-NodeText {
    # The text of a file, as UTF-8 without its byte order mark.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    [System.IO.File]::ReadAllText((Resolve-NodePath -LiteralPath $LiteralPath))
}
