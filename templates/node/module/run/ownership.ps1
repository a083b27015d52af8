# Whether only SYSTEM and Administrators could have written the memory and the paths of steps.

function Get-NodeWayDistrust {
    # Each untrusted file or folder among these paths and their parent folders, as its path and the reason. The
    # access list of a folder that a step made is not judged, because the step resets it; its owner and a link are.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [string[]] $LiteralPath)

    $reset = @(if ($null -ne $script:Run.State) {
            foreach ($step in $script:Run.Document['steps']) {
                if ($step['kind'] -ceq 'directory' -and (Test-NodeNoted -Step $step)) { $step['path'] }
            }
        })
    foreach ($path in @(Get-NodeWay -LiteralPath $LiteralPath)) {
        $how = @{
            OwnerOnly    = $reset -contains $path
            NotInherited = $reset -contains (Get-NodeParent -LiteralPath $path)
        }
        $why = Get-NodeDistrust -LiteralPath $path @how
        if ($why) { @{ Path = $path; Why = $why } }
    }
}

function Get-NodeMemoryDistrust {
    # Why the memory cannot be trusted; nothing where it can, or where there is none. Whoever writes it says what
    # Install takes for its own, and what Reset puts back.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $folder = $script:Run.Document['paths']['state']
    $why = @(foreach ($path in @(Get-NodeWay -LiteralPath $folder)) { Get-NodeDistrust -LiteralPath $path })
    if ($why.Count -gt 0 -or -not (Test-Path -LiteralPath $folder)) { return $why }
    # Without the list that we give it, C:\ProgramData lets every user put something into it.
    if ((Get-NodeAccess -LiteralPath $folder) -cne (ConvertTo-NodeAccess -Sddl $script:ProtectedFolder)) {
        return Get-NodePlanted -LiteralPath $folder
    }
    $names = @(Get-ChildItem -LiteralPath $folder -Filter 'state.json*' -Force -Name)
    foreach ($name in $names) { Get-NodeDistrust -LiteralPath "$folder\$name" }
}

function Assert-NodeMemory {
    # Refuses to go on from a memory that others could have written.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    Assert-NodeNoStranger -Why @(Get-NodeMemoryDistrust)
}

function Assert-NodeNoStranger {
    # Refuses to go on where there is a reason to distrust the memory.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Why)

    if ($Why.Count -eq 0) { return }
    $folder = $script:Run.Document['paths']['state']
    $script:Run.Refused = $true
    $inside = $Why[0].StartsWith($folder)
    $do = if ($inside) { 'move that folder away' } else { 'take the right to change that away' }
    throw ("the memory in $folder may be written by others: $($Why -join ', '); nothing was changed. " +
        "Look at it, $do, and run this again")
}
