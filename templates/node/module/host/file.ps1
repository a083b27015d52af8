# Reads files, and replaces them as a whole.

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

function Move-NodeFile {
    # Gives a finished file its name. An old one is renamed first, as Windows does not overwrite a program
    # that runs; it goes when nobody uses it any more.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination
    )

    $source = Resolve-NodePath -LiteralPath $LiteralPath
    $target = Resolve-NodePath -LiteralPath $Destination
    if ([System.IO.File]::Exists($target)) {
        $old = "$target.winnode-old"
        Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
        # One call, so that a reader finds either the old file or the new one.
        [System.IO.File]::Replace($source, $target, $old, $true)
        Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
    } else {
        [System.IO.File]::Move($source, $target)
    }
}

function Install-NodeFile {
    # Puts a finished file in place. Services that use the old one stop now and start when the run ends.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination
    )

    if (Test-Path -LiteralPath $Destination) {
        Suspend-NodeService -Name @(Get-NodeServiceUsing -LiteralPath $Destination)
    }
    Move-NodeFile -LiteralPath $LiteralPath -Destination $Destination
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
