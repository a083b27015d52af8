# Access lists: what is set comes back in Windows' own writing, and what is not set is inherited.

function Get-Acl {
    [CmdletBinding()]
    param([string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { throw "Cannot find path '$LiteralPath' because it does not exist." }
    $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
    $own = [WinNodeHost.AccessList]::Read($path)
    $list = if ($own.Contains('D:')) { $own } else { $own + (Get-HostInherited -Path $path) }
    $owner = [regex]::Match($list, '^O:([A-Z]{2}(?=D:|$)|S[-0-9]+)').Groups[1].Value
    # What Windows brings.
    # https://learn.microsoft.com/windows/security/identity-protection/access-control/security-identifiers
    $below = $path.TrimEnd('/') -replace "^$([regex]::Escape($script:Root))(/|$)"
    if ($below -eq '') { $owner = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464' }
    if ($owner -eq '') { $owner = if ($below -match '^(Windows|ProgramData|Program Files|Users)$') { 'SY' } else { Get-HostMaker } }
    $access = [pscustomobject]@{ Sddl = 'O:{0}G:SY{1}' -f $owner, ($list -replace '^O:([A-Z]{2}(?=D:|$)|S[-0-9]+)') }
    $access | Add-Member -MemberType ScriptMethod -Name SetSecurityDescriptorSddlForm -Value {
        param([string] $Sddl, [string] $Section)
        $from = switch ($Section) {
            'Access' { $this.Sddl }
            'Owner, Access' { $Sddl }
            'Owner' { $this.Sddl = $this.Sddl -replace '^O:([A-Z]{2}(?=G:)|S[-0-9]+)', $Sddl; return }
            default { throw "not built here: $Section" }
        }
        $this.Sddl = [regex]::Match($from, '^O:([A-Z]{2}|S[-0-9]+)').Value + 'G:SY' + (ConvertTo-HostSddl -Sddl $Sddl)
    }
    $access
}

function Set-Acl {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $LiteralPath, [object] $AclObject)

    Add-HostCall -Text "Set-Acl $LiteralPath"
    Assert-HostHealth -On 'Set-Acl'
    $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
    # Without entries of its own and without protection, a list is only inherited.
    $list = $AclObject.Sddl -replace 'G:SY' -replace "^O:(SY|$(Get-HostMaker))(?=D)"
    $list = [regex]::Replace($list, '\([^;]*;[A-Z]*ID[A-Z]*;[^)]*\)', '') -replace 'D:AI$'
    [WinNodeHost.AccessList]::Write($path, $list)
}

function Get-HostMaker {
    # Who owns what nobody gave an owner: Administrators what any of them makes, or each his own.
    # https://learn.microsoft.com/windows/win32/secauthz/owner-of-a-new-object
    if (Get-HostSwitch -Name MakersOwn) { $script:Machine.User } else { 'BA' }
}

function ConvertTo-HostSddl {
    # Windows writes PAI for P, names rights by their numbers where it has no letters, and sorts by account.
    # https://learn.microsoft.com/windows/win32/secauthz/security-descriptor-string-format
    param([string] $Sddl)

    $flags = [regex]::Match($Sddl, 'D:([A-Z]*)').Groups[1].Value
    $entries = @([regex]::Matches($Sddl, '\([^)]*\)') | ForEach-Object -Process { $_.Value } |
            Sort-Object -Property { $_.Substring($_.LastIndexOf(';')) })
    $mark = if ($flags.StartsWith('P')) { 'PAI' } else { 'AI' }
    'D:{0}{1}' -f $mark, ($entries -join '')
}

function Get-HostInherited {
    # The entries that the nearest folder with a list of its own hands down; those of C:\ where none has one. CI alone
    # reaches folders only. https://learn.microsoft.com/windows/win32/secauthz/ace-inheritance-rules
    param([string] $Path)

    # As C:\ of Windows Server hands it down: every user makes folders and files in a new folder, and owns them.
    $list = 'D:(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)(A;CI;LC;;;BU)(A;CIIO;DC;;;BU)(A;OICIIO;GA;;;CO)'
    for ($folder = [System.IO.Path]::GetDirectoryName($Path); $folder -and $folder.Length -ge $script:Root.Length
        $folder = [System.IO.Path]::GetDirectoryName($folder)) {
        $own = [WinNodeHost.AccessList]::Read($folder)
        if ($own.Contains('D:')) { $list = $own; break }
    }
    $isFolder = [System.IO.Directory]::Exists($Path)
    $entries = foreach ($entry in [regex]::Matches($list, '\(([^;]*);(OI)?CI(IO)?(ID)?;([^)]*)\)')) {
        $all = $entry.Groups[2].Success
        if (-not $isFolder -and -not $all) { continue }
        # To a creator it only hands on; what he makes is his.
        $only = if ($entry.Groups[5].Value.EndsWith(';CO')) { 'IO' } else { '' }
        '({0};{1}CI{2}ID;{3})' -f $entry.Groups[1].Value, $(if ($all) { 'OI' } else { '' }), $only, $entry.Groups[5].Value
    }
    'D:AI' + ($entries -join '')
}
