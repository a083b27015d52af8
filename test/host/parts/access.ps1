# Access lists: what is set comes back in Windows' own writing, and what is not set is inherited.

function Get-Acl {
    [CmdletBinding()]
    param([string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { throw "Cannot find path '$LiteralPath' because it does not exist." }
    $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
    [WinNodeHost.FileSecurity]::Of($path, $script:Root, (Get-HostMaker))
}

function Set-Acl {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $LiteralPath, [object] $AclObject)

    Add-HostCall -Text "Set-Acl $LiteralPath"
    Assert-HostHealth -On 'Set-Acl'
    # The whole descriptor is written, and an administrator lacks the privilege to make SYSTEM an owner:
    # https://github.com/PowerShell/PowerShell/blob/master/src/System.Management.Automation/namespaces/FileSystemSecurity.cs
    if ("$($AclObject.Sddl)" -cmatch '^O:(SY|S-1-5-18|S-1-5-80)' -and -not $script:Machine.Runs) {
        throw 'The security identifier is not allowed to be the owner of this object.'
    }
    $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
    # Without its own entries and without protection, a list is only inherited.
    $list = $AclObject.Sddl -replace 'G:SY' -replace "^O:(SY|$(Get-HostMaker))(?=D)"
    $list = [regex]::Replace($list, '\([^;]*;[A-Z]*ID[A-Z]*;[^)]*\)', '') -replace 'D:AI$'
    [WinNodeHost.AccessList]::Write($path, $list)
}

function Get-HostMaker {
    # The owner of new files: Administrators, or the account that creates them.
    # https://learn.microsoft.com/windows/win32/secauthz/owner-of-a-new-object
    if (Get-HostSwitch -Name MakersOwn) { $script:Machine.User } else { 'BA' }
}
