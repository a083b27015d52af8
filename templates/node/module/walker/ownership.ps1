# Whether what the steps use is SYSTEM's or Administrators', before the first change.

# What names a path in a step, beside the members of an archive.
$script:StepPath = @(
    'path', 'kubeadm', 'kubeconfig', 'bootstrapKubeconfig', 'certificates', 'tokenFile', 'discoveryFile', 'ca'
    'crictl', 'hostLocal', 'dataDirectory', 'wrapper'
)

function Get-NodeStepPath {
    # Paths that steps write, read or run.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Step)

    foreach ($one in $Step) {
        # Windows holds it open.
        if ($one['kind'] -ceq 'pageFile') { continue }
        foreach ($name in $script:StepPath) { if ($one[$name]) { $one[$name] } }
        foreach ($member in $one['members']) { if ($null -ne $member) { $member['path'] } }
    }
}

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
    $paths = @(Get-NodeDocumentPath) + $script:Run.Document['paths']['log']
    $way = @($paths | ForEach-Object -Process { Get-NodeWay -LiteralPath $_ } |
            Select-Object -Unique)
    $why = @(foreach ($path in $way) {
            if ($known -contains $path) { continue }
            Get-NodeDistrust -LiteralPath $path -OfItsOwn:($known -contains (Get-NodeParent -LiteralPath $path))
        })
    foreach ($folder in $folders) {
        if ($known -contains $folder['path'] -or $folder['sddl'] -cne $script:ProtectedFolder) { continue }
        if ($folder['layers'] -or $way -notcontains $folder['path']) { continue }
        $except = @($folders | ForEach-Object -Process { $_['path'] })
        $why += @(Get-NodePlanted -LiteralPath $folder['path'] -Except $except)
    }
    $why = @($why | Select-Object -Unique)
    if ($why.Count -eq 0) { return }
    $more = if ($why.Count -gt 5) { " and $($why.Count - 5) more" } else { '' }
    $text = 'others could have written what this would use: {0}{1}; look at it, and take it away or give it to ' +
    'Administrators alone'
    $message = $text -f (@($why | Select-Object -First 5) -join ', '), $more
    Add-NodePreflight -Id 'owner' -Verdict fail -Passed $false -Message $message
}
