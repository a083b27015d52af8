# Checks that only SYSTEM and Administrators could have written the state file and the paths of steps.

function Get-NodeUntrustedPath {
    # Each untrusted file or folder among these paths and their parents, with the reason. The access list of a
    # folder that a step created is not checked, because the step resets it; its owner is, and whether it is a
    # link.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [string[]] $LiteralPath)

    $reset = @(if ($null -ne $script:Run.State) {
            foreach ($step in Get-NodeKindStep -Kind directory) {
                if (Test-NodeStateSaved -Step $step) { $step['path'] }
            }
        })
    foreach ($path in @(Get-NodePathTree -LiteralPath $LiteralPath)) {
        $how = @{
            OwnerOnly    = $reset -contains $path
            NotInherited = $reset -contains (Get-NodeParent -LiteralPath $path)
        }
        $why = Get-NodeDistrust -LiteralPath $path @how
        if ($why) { @{ Path = $path; Why = $why } }
    }
}

function Get-NodeMemoryDistrust {
    # The reasons not to trust the state folder, if any. An account that can write the state file controls which
    # files Install treats as winnode's, and what Reset restores.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $folder = $script:Run.Document['paths']['state']
    $why = @(foreach ($path in @(Get-NodePathTree -LiteralPath $folder)) { Get-NodeDistrust -LiteralPath $path })
    if ($why.Count -gt 0 -or -not (Test-Path -LiteralPath $folder)) { return $why }
    # Without winnode's access list, C:\ProgramData allows every user to create files in it.
    if ((Get-NodeAccess -LiteralPath $folder) -cne (ConvertTo-NodeAccess -Sddl $script:ProtectedFolder)) {
        return Get-NodeUntrustedFile -LiteralPath $folder
    }
    $names = @(Get-ChildItem -LiteralPath $folder -Filter 'state.json*' -Force -Name)
    foreach ($name in $names) { Get-NodeDistrust -LiteralPath "$folder\$name" }
}

function Assert-NodeNoStranger {
    # Stops if there is a reason not to trust the state file.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Why)

    if ($Why.Count -eq 0) { return }
    $folder = $script:Run.Document['paths']['state']
    $script:Run.Refused = $true
    $inside = $Why[0].StartsWith($folder)
    $do = if ($inside) { 'move the folder away' } else { 'remove their write access' }
    throw ("other users can write the state in ${folder}: $($Why -join ', '); nothing was changed. " +
        "Inspect it, $do, and rerun")
}
