# Trusted accounts: they may own or change a file without making it untrusted.

# The most privileged accounts of a machine. LA is the account Administrator; DA and EA are Administrators of all
# machines in their domain. https://learn.microsoft.com/windows/win32/secauthz/sid-strings
$script:TrustedOwner = 'SY', 'BA', 'LA', 'DA', 'EA', 'S-1-5-18', 'S-1-5-32-544', $script:TrustedInstaller

# Placeholders in an entry: the owner, which is checked separately, and the future owner of a child, which does not
# apply to the folder itself.
$script:TrustedEntry = 'OW', 'CO', 'S-1-3-4', 'S-1-3-0'

# Whether files that an administrator creates belong to the account, known from the first file; and the SID of the
# account that runs this script, once it was queried.
$script:Maker = @{ Own = $null; Sid = '' }

function Test-NodeTrusted {
    # Whether an account is trusted. The account that runs this script is an administrator: it may own files that
    # it created without elevation, and files moved out of its profile still grant it access.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Who)

    if ($script:TrustedOwner -contains $Who) { return $true }
    if (-not $Who.StartsWith('S-1-5-21-')) { return $false }
    if ($script:Maker.Sid -eq '') {
        $said = Invoke-Native -FilePath 'whoami.exe' -ArgumentList '/user', '/fo', 'csv', '/nh'
        $script:Maker.Sid = [regex]::Match("$said", '"(S-1-[-0-9]+)"\s*$').Groups[1].Value
    }
    $Who -ceq $script:Maker.Sid
}

function Set-NodeOwner {
    # Gives a file that this process created to Administrators if a policy made the current user its owner.
    # Otherwise SYSTEM, which runs the reconcile loop, and other administrators would not trust it.
    # https://learn.microsoft.com/windows/win32/secauthz/owner-of-a-new-object
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if ($script:Maker.Own -eq $false) { return }
    $list = Get-Acl -LiteralPath $LiteralPath
    $own = "$($list.Sddl)" -cmatch '^O:S-1-5-21-'
    if ($null -eq $script:Maker.Own) { $script:Maker.Own = $own }
    if (-not $own -or -not $PSCmdlet.ShouldProcess($LiteralPath, 'give to Administrators')) { return }
    $list.SetSecurityDescriptorSddlForm('O:BA', 'Owner')
    Set-Acl -LiteralPath $LiteralPath -AclObject $list
}
