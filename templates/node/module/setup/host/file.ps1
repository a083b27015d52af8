# Reads the start and the end of files, and replaces files as a whole.

# The class that Get-FileHash of 5.1 uses too: it also works if Windows requires FIPS algorithms.
# https://learn.microsoft.com/dotnet/api/system.security.cryptography.sha256cryptoserviceprovider
$script:Sha256 = New-Object -TypeName System.Security.Cryptography.SHA256CryptoServiceProvider

function ConvertTo-NodeHex {
    # Bytes as lower-case hexadecimal digits.
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

# How Windows PowerShell 5.1 marks encodings, as hexadecimal digits: > and Out-File write UTF-16.
# https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding
$script:EncodingMark = [ordered]@{
    '^FF-FE'    = 'UTF-16'
    '^FE-FF'    = 'big-endian UTF-16'
    '^EF-BB-BF' = 'UTF-8 with a mark'
}

function Get-NodeEncodingFault {
    # Why programs in Go cannot use a token, a certificate or a key in this file, or an empty string: they read its
    # bytes, a byte order mark too.
    # https://github.com/kubernetes/client-go/blob/master/transport/token_source.go
    # https://github.com/golang/go/blob/master/src/encoding/pem/pem.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $path = Resolve-NodePath -LiteralPath $LiteralPath
    $start = [System.BitConverter]::ToString([System.IO.File]::ReadAllBytes($path))
    foreach ($mark in @($script:EncodingMark.Keys)) {
        if ($start -notmatch $mark) { continue }
        $is = $script:EncodingMark[$mark]
        return "$LiteralPath is $is, expected ASCII: write it with Out-File -Encoding ascii"
    }
    ''
}

function Read-NodeTextEnd {
    # The last whole lines of a file within so many bytes, also while another program writes it. A line whose start
    # is cut off is dropped, or dropped up to its first blank: half a secret would not be recognized as a secret.
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
    # NUL characters are UTF-16, in which no secret would be recognized, or the result of a power cut.
    $text = [System.Text.Encoding]::UTF8.GetString($buffer, 0, $count).Replace("`0", '').TrimStart([char]0xfeff)
    if ($cut) { $text -creplace '^(?:[^\n]*\n|\S*\s|.*)', '' } else { $text }
}

function Write-NodeText {
    # Replaces a file as a whole: UTF-8 without a byte order mark, flushed to the disk before it gets its name.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text
    )

    # Always a new file: an existing one, of an aborted run or another user, would keep its owner and access list.
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
    # The path of a bundle's file, after a check that it still has the rendered checksum.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Source,
        [Parameter(Mandatory = $true)] [string] $Sha256
    )

    $path = Join-Path -Path $script:Run.Bundle -ChildPath $Source
    $found = Get-NodeDigest -LiteralPath $path
    if ($found -eq '') { throw "${Source}: not found in the bundle" }
    if ($found -cne $Sha256) { throw "$Source of the bundle was modified: SHA-256 is $found, expected $Sha256" }
    $path
}
