# Whether nobody else could have written the memory.

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

    $why = @(Get-NodeMemoryDistrust)
    if ($why.Count -eq 0) { return }
    $folder = $script:Run.Document['paths']['state']
    $script:Run.Refused = $true
    throw ("the memory in $folder may be written by others: $($why -join ', '); nothing was changed. " +
        'Look at it, move that folder away, and run this again')
}
