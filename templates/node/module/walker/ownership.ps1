# Whether what the steps use is SYSTEM's or Administrators', before the first change.

function Get-NodeDocumentPath {
    # Paths that steps write, read or run, and those of files that somebody brings.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    Get-NodeStepPath -Step @($script:Run.Document['steps'])
    foreach ($check in $script:Run.Document['preflight']) {
        if ($check['kind'] -ceq 'filePresent') { (ConvertTo-NodeMap -Pair $check['with'])['paths'] }
    }
}

function Assert-NodeOwner {
    # Refuses to work in folders, over files and with credentials that others could have written: they would run as
    # SYSTEM, or say which cluster this is. What lies in a folder that a step protects is asked, too. Folders that
    # the memory knows are the steps' to mend.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $steps = @($script:Run.Document['steps'])
    $folders = @($steps | Where-Object -FilterScript { $_['kind'] -ceq 'directory' })
    $known = @($script:Run.State['folders']) + @($folders | Where-Object -FilterScript {
            Test-NodeNoted -Step $_
        } | ForEach-Object -Process { $_['path'] })
    $paths = @(Get-NodeDocumentPath) + $script:Run.Document['paths']['log'] + @(Get-NodeBundlePath)
    $way = @(Get-NodeWay -LiteralPath $paths)
    $found = @()
    $where = ''
    foreach ($path in $way) {
        if ($known -contains $path) { continue }
        $why = Get-NodeDistrust -LiteralPath $path -OfItsOwn:($known -contains (Get-NodeParent -LiteralPath $path))
        if (-not $why) { continue }
        $found += $why
        if ($where -eq '') { $where = $path }
    }
    foreach ($folder in $folders) {
        if ($known -contains $folder['path'] -or $folder['sddl'] -cne $script:ProtectedFolder) { continue }
        if ($folder['layers'] -or $way -notcontains $folder['path']) { continue }
        $except = @($folders | ForEach-Object -Process { $_['path'] })
        foreach ($why in @(Get-NodePlanted -LiteralPath $folder['path'] -Except $except)) {
            $found += $why
            if ($where -eq '') { $where = $folder['path'] }
        }
    }
    $found = @($found | Select-Object -Unique)
    if ($found.Count -eq 0) { return }
    $more = if ($found.Count -gt 5) { " and $($found.Count - 5) more" } else { '' }
    $message = 'others could have written what this would use: {0}{1}. Look at it: take it away{2}' -f
    (@($found | Select-Object -First 5) -join ', '), $more, (Get-NodeGift -LiteralPath $where)
    Add-NodePreflight -Id 'owner' -Verdict fail -Passed $false -Message $message
}
