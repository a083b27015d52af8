# Reads files, and writes them as a whole.

# What Get-FileHash of 5.1 takes, too: the one that also works where Windows asks for FIPS.
# https://learn.microsoft.com/dotnet/api/system.security.cryptography.sha256cryptoserviceprovider
$script:Sha256 = New-Object -TypeName System.Security.Cryptography.SHA256CryptoServiceProvider

function Get-NodeDigest {
    # SHA-256 of a file in lower case, or an empty text where there is no file. Not by Get-FileHash: each run asks
    # for it some hundred times.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $path = Resolve-NodePath -LiteralPath $LiteralPath
    if (-not [System.IO.File]::Exists($path)) { return '' }
    $stream = [System.IO.File]::OpenRead($path)
    try { ConvertTo-NodeHex -Byte $script:Sha256.ComputeHash($stream) } finally { $stream.Dispose() }
}

function ConvertTo-NodeHex {
    # Bytes as digits in lower case.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [byte[]] $Byte)

    [System.BitConverter]::ToString($Byte).Replace('-', '').ToLowerInvariant()
}

function Get-NodeTextDigest {
    # SHA-256 of a text as UTF-8, in lower case.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $bytes = (New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false).GetBytes($Text)
    ConvertTo-NodeHex -Byte $script:Sha256.ComputeHash($bytes)
}

function Read-NodeText {
    # The text of a file, as UTF-8 and without its byte order mark.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    [System.IO.File]::ReadAllText((Resolve-NodePath -LiteralPath $LiteralPath))
}

function Read-NodeTextEnd {
    # A file that others may write meanwhile, or its last whole lines within so many bytes. A line whose beginning
    # is cut off is left out, or up to its first blank: half a secret is no longer known for one.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [int] $Bytes
    )

    $path = Resolve-NodePath -LiteralPath $LiteralPath
    $stream = [System.IO.File]::Open($path, 'Open', 'Read', 'ReadWrite, Delete')
    try {
        $cut = $stream.Length -gt $Bytes
        if ($cut) { $stream.Position = $stream.Length - $Bytes }
        $buffer = New-Object -TypeName byte[] -ArgumentList $Bytes
        $count = 0
        for ($read = 1; $read -gt 0 -and $count -lt $Bytes; $count += $read) {
            $read = $stream.Read($buffer, $count, $Bytes - $count)
        }
    } finally {
        $stream.Dispose()
    }
    # Zeros: UTF-16, in which no secret would be known for one, or what a power cut left.
    $text = [System.Text.Encoding]::UTF8.GetString($buffer, 0, $count).Replace("`0", '').TrimStart([char]0xfeff)
    if ($cut) { $text -creplace '^(?:[^\n]*\n|\S*\s|.*)', '' } else { $text }
}

function Write-NodeText {
    # Replaces a file as a whole: UTF-8 without a byte order mark, on the disk before it gets its name.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text
    )

    # A new one: that of a run that was cut off, or of a stranger, would keep its owner and its list.
    $fresh = "$LiteralPath.winnode-new"
    Clear-NodePath -LiteralPath $fresh
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
