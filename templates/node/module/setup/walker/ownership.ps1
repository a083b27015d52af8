# Checks that the paths of the steps belong to SYSTEM or Administrators.

function Get-NodeProvidedPath {
    # Paths of files that an administrator provides.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    foreach ($check in $script:Run.Document['preflight']) {
        if ($check['kind'] -ceq 'filePresent') { (ConvertTo-NodeMap -Pair $check['with'])['paths'] }
    }
}

function Get-NodeDocumentPath {
    # Paths that steps write, read or run, and files that an administrator provides.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    Get-NodeStepPath -Step @($script:Run.Document['steps'])
    Get-NodeProvidedPath
}

function Get-NodeOwnPath {
    # Paths that winnode writes. Provided files, and credentials that kubeadm writes, may belong to the
    # administrator who ran Join: Test and the loop may run as another account, and cannot distinguish that one
    # from an ordinary user.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $provided = @(Get-NodeProvidedPath)
    $steps = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['phase'] -cne 'join' })
    Get-NodeStepPath -Step $steps | Where-Object -FilterScript { $provided -notcontains $_ }
}

function Assert-NodeOwner {
    # Stops if other users could have written paths of steps: programs there run as SYSTEM, and credentials there
    # select the cluster. Before the first change, the contents of folders that a step is about to protect are
    # checked, too.
    [CmdletBinding()]
    param(
        # Only the paths that winnode has written.
        [Parameter()] [switch] $Installed
    )

    $paths = @($script:Run.Document['paths']['log'])
    $paths += if ($Installed) { @(Get-NodeOwnPath) } else { @(Get-NodeDocumentPath) + @(Get-NodeBundlePath) }
    $found = @(Get-NodeUntrustedPath -LiteralPath $paths)
    $folders = @(if (-not $Installed) { Get-NodeKindStep -Kind directory })
    $except = @($folders | ForEach-Object -Process { $_['path'] })
    foreach ($folder in $folders) {
        if ($folder['layers'] -or $folder['sddl'] -cne $script:ProtectedFolder) { continue }
        if ((Test-NodeStateSaved -Step $folder) -or -not (Test-Path -LiteralPath $folder['path'])) { continue }
        foreach ($why in @(Get-NodeUntrustedFile -LiteralPath $folder['path'] -Except $except)) {
            $found += @{ Path = $folder['path']; Why = $why }
        }
    }
    if ($found.Count -eq 0) { return }
    $why = @($found | ForEach-Object -Process { $_.Why } | Select-Object -Unique)
    $more = if ($why.Count -gt 5) { " and $($why.Count - 5) more" } else { '' }
    $message = 'other users could have written paths of this bundle: {0}{1}. Inspect them: remove them{2}' -f
    (@($why | Select-Object -First 5) -join ', '), $more, (Get-NodeTrustRemedy -LiteralPath $found[0].Path)
    Add-NodePreflight -Id 'owner' -Verdict fail -Passed $false -Message $message
}
