# Replaces programs that services use.

function Install-NodeFile {
    # Puts a finished file in place. Services that use the old one stop now and start when the run ends. Its
    # access list would stay with the new one, and may be a stranger's.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination
    )

    Set-NodeOwner -LiteralPath $LiteralPath
    if (Test-Path -LiteralPath $Destination) {
        Suspend-NodeService -Name @(Get-NodeServiceUsing -LiteralPath $Destination)
        if ((Get-NodeAccess -LiteralPath $Destination) -cne (Get-NodeAccess -LiteralPath $LiteralPath)) {
            Set-Acl -LiteralPath $Destination -AclObject (Get-Acl -LiteralPath $LiteralPath)
        }
    }
    Move-NodeFile -LiteralPath $LiteralPath -Destination $Destination
}
