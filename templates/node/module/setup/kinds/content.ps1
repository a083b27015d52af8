# Shared by the kinds of files: compare checksums, back up and restore the previous file.

function Test-NodeContent {
    # True if a file has this SHA-256.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Sha256
    )

    $found = Get-NodeDigest -LiteralPath $LiteralPath
    if ($found -eq '') {
        Write-NodeDetail -Text "$LiteralPath is missing"
    } elseif ($found -cne $Sha256) {
        Write-NodeDetail -Text "$LiteralPath has SHA-256 $found, expected $Sha256"
    }
    $found -ceq $Sha256
}

function Backup-NodePath {
    # Backs up a file before it is replaced, named by its SHA-256; nothing if it is missing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $digest = Get-NodeDigest -LiteralPath $LiteralPath
    if ($digest -eq '') { return $null }
    $folder = '{0}\backup' -f $script:Run.Document['paths']['state']
    Initialize-NodeFolder -LiteralPath $folder
    if (-not (Test-Path -LiteralPath "$folder\$digest")) {
        Copy-Item -LiteralPath $LiteralPath -Destination "$folder\$digest.winnode-new"
        Move-NodeFile -LiteralPath "$folder\$digest.winnode-new" -Destination "$folder\$digest"
    }
    [ordered]@{ sha256 = $digest; sddl = "$((Get-Acl -LiteralPath $LiteralPath).Sddl)" }
}

function Restore-NodePath {
    # Restores the backup, or removes the file if there is none.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    $folder = Get-NodeParent -LiteralPath $LiteralPath
    $name = [regex]::Escape($LiteralPath.Substring($folder.Length).TrimStart('\'))
    $beside = @(Get-ChildItem -LiteralPath $folder -Force -Name -ErrorAction SilentlyContinue)
    foreach ($file in $beside -match "^$name(\.winnode-\w+)+$") { Clear-NodePath -LiteralPath "$folder\$file" }
    if ($null -eq $Before) { Clear-NodePath -LiteralPath $LiteralPath; return }
    if ((Get-NodeDigest -LiteralPath $LiteralPath) -ceq $Before['sha256']) { return }
    $kept = '{0}\backup\{1}' -f $script:Run.Document['paths']['state'], $Before['sha256']
    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $LiteralPath)
    Clear-NodePath -LiteralPath "$LiteralPath.winnode-new"
    Copy-Item -LiteralPath $kept -Destination "$LiteralPath.winnode-new"
    Move-NodeFile -LiteralPath "$LiteralPath.winnode-new" -Destination $LiteralPath
    if ($null -ne $Before['sddl']) { Protect-NodePath -LiteralPath $LiteralPath -Sddl $Before['sddl'] }
}
