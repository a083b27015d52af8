# Whom a machine belongs to: whose a file may be, and who may change it, without being a stranger.

# Nobody above these on a machine. LA is the account Administrator; DA and EA are Administrators of all machines
# in their domain. https://learn.microsoft.com/windows/win32/secauthz/sid-strings
$script:TrustedOwner = 'SY', 'BA', 'LA', 'DA', 'EA', 'S-1-5-18', 'S-1-5-32-544', $script:TrustedInstaller

# Stand for somebody else in an entry: the owner, who is asked himself, and nobody where it is not handed down.
$script:TrustedEntry = 'OW', 'CO', 'S-1-3-4', 'S-1-3-0'

# Whether what an administrator makes is his own, known from the first file; and who runs this, once it was asked.
$script:Maker = @{ Own = $null; Sid = '' }

function Initialize-NodeOwner {
    # Forgets what an earlier run in the same PowerShell has learned.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $script:Maker = @{ Own = $null; Sid = '' }
}

function Test-NodeTrusted {
    # Whether somebody is no stranger. Whoever runs this is an administrator: what he made without Run as
    # administrator is his own, and what he moved out of his profile still lets him in.
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
    # Gives what this process has made to Administrators, where a policy makes it his who runs this: SYSTEM, who
    # runs the loop, and the next administrator would take it for a stranger's.
    # https://learn.microsoft.com/windows/win32/secauthz/owner-of-a-new-object
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if ($script:Maker.Own -eq $false) { return }
    $list = Get-Acl -LiteralPath $LiteralPath
    $own = "$($list.Sddl)" -cmatch '^O:S-1-5-21-'
    if ($null -eq $script:Maker.Own) { $script:Maker.Own = $own }
    if (-not $own -or -not $PSCmdlet.ShouldProcess($LiteralPath, 'give to Administrators')) { return }
    $list.SetSecurityDescriptorSddlForm('O:BA', 'Owner')
    Set-Acl -LiteralPath $LiteralPath -AclObject $list
}
