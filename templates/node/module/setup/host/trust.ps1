# Whether other users could have written or could replace a path, by its owner and access list.

# Rights by their letters. https://learn.microsoft.com/windows/win32/secauthz/ace-strings
$script:Rights = @{
    GA = 0x10000000; GW = 0x40000000; FA = 0x1f01ff; FW = 0x120116; SD = 0x10000; WD = 0x40000; WO = 0x80000
    CC = 1; DC = 2; LC = 4; SW = 8; RP = 0x10; WP = 0x20; DT = 0x40; LO = 0x80; CR = 0x100
}

# Rights that allow replacing a file: write, append, delete, change access list or owner. On a folder they allow
# replacing its contents or the folder; adding files is not among them, as C:\ grants that to all users.
# https://learn.microsoft.com/windows/win32/fileio/file-access-rights-constants
$script:TakesFile = 0x50000000 -bor 0xd0000 -bor 6
$script:TakesFolder = 0x10000000 -bor 0xd0000 -bor 0x40
# A drive itself cannot be deleted.
$script:TakesDrive = 0x10000000 -bor 0xc0000 -bor 0x40

# Names of the groups that contain every user of a machine.
$script:Everybody = @{ WD = 'Everyone'; AU = 'Authenticated Users'; BU = 'Users'; IU = 'Interactive' }

function Get-NodeDistrust {
    # The reason why a file or folder may not be what SYSTEM or Administrators made of it, or nothing.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        # Skips inherited entries: a step resets the parent folder's access list.
        [Parameter()] [switch] $NotInherited,
        # Skips the access list: a step resets it.
        [Parameter()] [switch] $OwnerOnly
    )

    $item = Get-Item -LiteralPath $LiteralPath -Force
    if ($item.Attributes -band [System.IO.FileAttributes]::ReparsePoint) {
        return "$LiteralPath is a link: set its target in the profile"
    }
    $sddl = "$((Get-Acl -LiteralPath $LiteralPath).Sddl)"
    $owner = [regex]::Match($sddl, '^O:([A-Z]{2}(?=[GDS]:|$)|S-[-0-9]+)').Groups[1].Value
    if (-not (Test-NodeTrusted -Who $owner)) { return "$LiteralPath is owned by $owner" }
    if ($OwnerOnly) { return }
    if ($sddl -cnotmatch 'D:[A-Z]*\(') { return "$LiteralPath has no access list" }
    $takes = if (-not $item.PSIsContainer) {
        $script:TakesFile
    } elseif ($LiteralPath.Length -gt 3) { $script:TakesFolder } else { $script:TakesDrive }
    $handed = if ($NotInherited) { '^(?:..)*(?:IO|ID)' } else { '^(?:..)*IO' }
    $allow = '\(X?A;(?<flags>[A-Z]*);(?<rights>[^;]*);[^;]*;[^;]*;(?<who>[^;)]*)'
    foreach ($entry in [regex]::Matches($sddl, $allow)) {
        # Entries that only children inherit do not apply to the folder itself.
        if ($entry.Groups['flags'].Value -cmatch $handed) { continue }
        $who = $entry.Groups['who'].Value
        if (-not ((ConvertTo-NodeRight -Text $entry.Groups['rights'].Value) -band $takes)) { continue }
        if ($script:TrustedEntry -contains $who -or (Test-NodeTrusted -Who $who)) { continue }
        $name = if ($script:Everybody.ContainsKey($who)) { " ($($script:Everybody[$who]))" } else { '' }
        $isInherited = $entry.Groups['flags'].Value -cmatch '^(?:..)*ID'
        $from = if ($isInherited) { ', inherited from its folder' } else { '' }
        return "$LiteralPath can be changed by $who$name$from"
    }
}

function ConvertTo-NodeRight {
    # The rights of an entry as bits. Windows writes letters if it has some for all of them, otherwise a number.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    if ($Text -match '^0x') { return [System.Convert]::ToInt32($Text, 16) }
    $bits = 0
    for ($index = 0; $index + 1 -lt $Text.Length; $index += 2) {
        $letters = $Text.Substring($index, 2)
        if ($script:Rights.ContainsKey($letters)) { $bits = $bits -bor $script:Rights[$letters] }
    }
    $bits
}

function Get-NodePathTree {
    # The paths that exist, and their parent folders, each once, parents first.
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseLiteralInitializerForHashtable', '',
        Justification = 'The keys of a literal are not case-sensitive.')]
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string[]] $LiteralPath)

    # Case-sensitive, because folders of Windows can be. Used for this call only, because paths change.
    $seen = New-Object -TypeName System.Collections.Hashtable
    foreach ($one in $LiteralPath) {
        $way = @()
        for ($path = $one; $path -ne ''; $path = Get-NodeParent -LiteralPath $path) {
            if ($seen.ContainsKey($path)) { break }
            $seen[$path] = $true
            if (Test-Path -LiteralPath $path) { $way = @($path) + $way }
            if ($path.Length -le 3) { break }
        }
        $way
    }
}
