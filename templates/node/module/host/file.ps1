# Reads files, and writes them as a whole.

function Get-NodeDigest {
    # SHA-256 of a file in lower case, or an empty text where there is no file.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath -PathType Leaf)) { return '' }
    (Get-FileHash -LiteralPath $LiteralPath -Algorithm SHA256).Hash.ToLowerInvariant()
}

function Get-NodeTextDigest {
    # SHA-256 of a text as UTF-8, in lower case.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $bytes = (New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false).GetBytes($Text)
    $stream = New-Object -TypeName System.IO.MemoryStream -ArgumentList (, $bytes)
    (Get-FileHash -InputStream $stream -Algorithm SHA256).Hash.ToLowerInvariant()
}

function Read-NodeText {
    # The text of a file, as UTF-8 and without its byte order mark.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    [System.IO.File]::ReadAllText((Resolve-NodePath -LiteralPath $LiteralPath))
}

function Write-NodeText {
    # Replaces a file as a whole: UTF-8 without a byte order mark, on the disk before it gets its name.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text
    )

    $fresh = "$LiteralPath.winnode-new"
    $bytes = (New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false).GetBytes($Text)
    $stream = [System.IO.File]::Create((Resolve-NodePath -LiteralPath $fresh))
    try {
        $stream.Write($bytes, 0, $bytes.Length)
        $stream.Flush($true)
    } finally {
        $stream.Dispose()
    }
    Move-NodeFile -LiteralPath $fresh -Destination $LiteralPath
}

function Resolve-NodeSource {
    # The path of a bundle's file, after a look whether it still is the one that was rendered.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Source,
        [Parameter(Mandatory = $true)] [string] $Sha256
    )

    $path = Join-Path -Path $script:Run.Bundle -ChildPath $Source
    $found = Get-NodeDigest -LiteralPath $path
    if ($found -eq '') { throw "the bundle lacks $Source" }
    if ($found -cne $Sha256) { throw "$Source of the bundle was changed: sha256 $found, expected $Sha256" }
    $path
}
