# Replaces programs that services use.

function Install-NodeFile {
    # Moves a finished file into place. Services that use the old one stop now and start when the run ends. The new
    # file gets its own access list: the one of the old file may have been set by another user.
    [CmdletBinding()]
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

function Install-NodeText {
    # Writes a text beside the file, and moves it into place.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Text
    )

    $made = "$LiteralPath.winnode-made"
    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $LiteralPath)
    Clear-NodePath -LiteralPath $made
    Write-NodeText -LiteralPath $made -Text $Text
    Install-NodeFile -LiteralPath $made -Destination $LiteralPath
}
