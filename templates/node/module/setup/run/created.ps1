# Records parent folders and keys that were created for a step, so that Reset can remove empty ones.

function Add-NodeCreated {
    # Records paths before they are created. A folder that is a step is recorded with the step, and the contents of
    # the state folder are removed with it.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('folders', 'registryKeys')] [string] $Chapter,
        [Parameter(Mandatory = $true)] [string[]] $Path
    )

    # The state folder is created before the state file is read; a report has no lock and must not write it.
    if ($null -eq $script:Run -or $null -eq $script:Run.State -or $null -eq $script:Run.Lock) { return }
    $memory = '{0}\' -f $script:Run.Document['paths']['state']
    $known = @($script:Run.State[$Chapter])
    $known += @(Get-NodeKindStep -Kind directory | ForEach-Object -Process { $_['path'] })
    $new = @($Path | Where-Object -FilterScript { $known -notcontains $_ -and -not $_.StartsWith($memory) })
    if ($new.Count -eq 0) { return }
    $script:Run.State[$Chapter] = @(@($script:Run.State[$Chapter]) + $new)
    Save-NodeState
}

function Initialize-NodeFolder {
    # Creates a folder if it is missing, and records it and its new parents. Every user may create folders in C:\,
    # also after the check at the start of the run, so its parents are checked again.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $LiteralPath)

    if ($LiteralPath -eq '') { return }
    $new = @(for ($path = $LiteralPath; $path -ne '' -and -not (Test-Path -LiteralPath $path)) {
            $path
            $path = Get-NodeParent -LiteralPath $path
        })
    if ($new.Count -gt 0) {
        Add-NodeCreated -Chapter folders -Path $new
        $null = [System.IO.Directory]::CreateDirectory((Resolve-NodePath -LiteralPath $LiteralPath))
    }
    $found = @(Get-NodeUntrustedPath -LiteralPath $LiteralPath)
    if ($found.Count -gt 0) { throw "${LiteralPath}: other users may have written to it: $($found[0].Why)" }
    foreach ($path in $new) { Set-NodeOwner -LiteralPath $path }
}

function Clear-NodeCreated {
    # Removes recorded folders and keys that are empty, the deepest first.
    [CmdletBinding()]
    param()

    Clear-NodeCreatedFolder -Below 'C:'
    foreach ($key in @($script:Run.State['registryKeys'] | Sort-Object -Property Length -Descending)) {
        if (-not (Test-Path -LiteralPath $key)) { continue }
        $values = @((Get-Item -LiteralPath $key).GetValueNames()).Count
        if ($values + @(Get-ChildItem -LiteralPath $key).Count -eq 0) { Remove-Item -LiteralPath $key }
    }
    Remove-NodeCreated -Chapter registryKeys
}

function Clear-NodeCreatedFolder {
    # Removes recorded empty folders below a path, the deepest first.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Below)

    foreach ($folder in @($script:Run.State['folders'] | Sort-Object -Property Length -Descending)) {
        if (-not $folder.StartsWith("$Below\", 'OrdinalIgnoreCase')) { continue }
        if (-not (Test-Path -LiteralPath $folder)) { continue }
        if (@(Get-ChildItem -LiteralPath $folder -Force).Count -eq 0) { Clear-NodePath -LiteralPath $folder }
    }
    Remove-NodeCreated -Chapter folders
}

function Remove-NodeCreated {
    # Drops names that no longer exist: a later folder of that name is not winnode's. The caller saves.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [ValidateSet('folders', 'registryKeys')] [string] $Chapter)

    $left = @($script:Run.State[$Chapter] | Where-Object -FilterScript { Test-Path -LiteralPath $_ })
    if ($PSCmdlet.ShouldProcess($Chapter, 'drop names')) { $script:Run.State[$Chapter] = $left }
}
