# Reads and sets access lists, as SDDL.

# By SID, because group names are translated: only SYSTEM and Administrators, nothing inherited.
$script:ProtectedFolder = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'

$script:ProtectedFile = 'D:P(A;;FA;;;SY)(A;;FA;;;BA)'

# The owner of files that Windows itself installed.
# https://learn.microsoft.com/windows/security/identity-protection/access-control/security-identifiers
$script:TrustedInstaller = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464'

function Get-NodeAccess {
    # The access list of a path as comparable text, or an empty string if the path is missing.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { return '' }
    ConvertTo-NodeAccess -Sddl (Get-Acl -LiteralPath $LiteralPath).Sddl
}

function ConvertTo-NodeAccess {
    # Normalizes an access list: Windows returns it with other flags, names and order. The owner is included
    # unless it is SYSTEM or Administrators, because an owner may change the list at any time.
    # https://learn.microsoft.com/windows/win32/secauthz/ace-strings
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Sddl)

    $list = [regex]::Match($Sddl, 'D:(?<flags>[A-Z]*)(?<entries>(?:\([^)]*\))*)')
    $names = @{ 'S-1-5-18' = 'SY'; 'S-1-5-32-544' = 'BA'; 'S-1-5-32-545' = 'BU'; 'S-1-5-11' = 'AU' }
    $rights = @{ '0x1f01ff' = 'FA'; 'GA' = 'FA'; '0x120089' = 'FR'; '0x120116' = 'FW'; '0x1200a0' = 'FX' }
    $entries = foreach ($entry in [regex]::Matches($list.Groups['entries'].Value, '\(([^)]*)\)')) {
        $field = $entry.Groups[1].Value.Split(';')
        # Inherited entries belong to the parent folder.
        if ($field[1] -cmatch '^(?:..)*ID') { continue }
        if ($rights.ContainsKey($field[2])) { $field[2] = $rights[$field[2]] }
        if ($names.ContainsKey($field[5])) { $field[5] = $names[$field[5]] }
        '({0})' -f ($field -join ';')
    }
    $protected = if ($list.Groups['flags'].Value.StartsWith('P')) { 'P' } else { '' }
    $owner = [regex]::Match($Sddl, '^O:([A-Z]{2}(?=[GDS]:|$)|S-[-0-9]+)').Groups[1].Value
    if ($names.ContainsKey($owner)) { $owner = $names[$owner] }
    $foreign = if ($owner -in '', 'SY', 'BA', $script:TrustedInstaller) { '' } else { "O:$owner" }
    '{0}D:{1}{2}' -f $foreign, $protected, (@($entries | Sort-Object) -join '')
}

function Protect-NodePath {
    # Sets the access list of a path, and gives it to Administrators. Another user may have created the folder
    # first: C:\ allows it. Set-Acl writes the owner, too, and an administrator cannot write SYSTEM.
    # https://github.com/ansible/ansible/issues/20555
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Sddl
    )

    $list = Get-Acl -LiteralPath $LiteralPath
    $entries = [regex]::Match($Sddl, 'D:.*$').Value
    $list.SetSecurityDescriptorSddlForm("O:BA$entries", 'Owner, Access')
    Set-Acl -LiteralPath $LiteralPath -AclObject $list
}

function Write-NodeSecret {
    # Writes a file that only SYSTEM and Administrators can read. It is protected before it has content.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        # Text is the secret: PowerShell can log an argument that is a string.
        [Parameter(Mandatory = $true)] [hashtable] $Content
    )

    Clear-NodePath -LiteralPath $LiteralPath
    $path = Resolve-NodePath -LiteralPath $LiteralPath
    [System.IO.File]::Open($path, 'CreateNew').Dispose()
    Protect-NodePath -LiteralPath $LiteralPath -Sddl $script:ProtectedFile
    if ((Get-NodeAccess -LiteralPath $LiteralPath) -cne (ConvertTo-NodeAccess -Sddl $script:ProtectedFile)) {
        throw "${LiteralPath}: the access list could not be set"
    }
    # UTF-8 without a byte order mark.
    [System.IO.File]::WriteAllText($path, $Content.Text)
}
