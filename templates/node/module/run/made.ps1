# Folders and registry keys that came to be on the way to something else: Reset takes the empty ones away.

function Add-NodeMade {
    # Notes what is about to be made. What a step makes under its own name is noted with the step, and what
    # lies in the folder of the memory goes with it.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('folders', 'registryKeys')] [string] $Chapter,
        [Parameter(Mandatory = $true)] [string[]] $Path
    )

    # The folder of the memory itself is made before the memory is read; a report has no lock to write it.
    if ($null -eq $script:Run -or $null -eq $script:Run.State -or $null -eq $script:Run.Lock) { return }
    $memory = '{0}\' -f $script:Run.Document['paths']['state']
    $known = @($script:Run.State[$Chapter])
    $known += @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['kind'] -ceq 'directory' } |
            ForEach-Object -Process { $_['path'] })
    $new = @($Path | Where-Object -FilterScript { $known -notcontains $_ -and -not $_.StartsWith($memory) })
    if ($new.Count -eq 0) { return }
    $script:Run.State[$Chapter] = @(@($script:Run.State[$Chapter]) + $new)
    Save-NodeState
}

function Initialize-NodeFolder {
    # Makes a folder where it is missing, and notes the new ones on the way to it. Every user may make folders in
    # C:\, also between the check before the first change and this one: so the way is checked once more.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $LiteralPath)

    if ($LiteralPath -eq '') { return }
    $new = @(for ($path = $LiteralPath; $path -ne '' -and -not (Test-Path -LiteralPath $path)) {
            $path
            $path = Get-NodeParent -LiteralPath $path
        })
    if ($new.Count -gt 0) {
        Add-NodeMade -Chapter folders -Path $new
        $null = [System.IO.Directory]::CreateDirectory((Resolve-NodePath -LiteralPath $LiteralPath))
    }
    $found = @(Get-NodeWayDistrust -LiteralPath $LiteralPath)
    if ($found.Count -gt 0) { throw "others could have written to ${LiteralPath}: $($found[0].Why)" }
    foreach ($path in $new) { Set-NodeOwner -LiteralPath $path }
}

function Clear-NodeMade {
    # Removes what is empty, the deepest first.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    Clear-NodeMadeFolder -Below 'C:'
    foreach ($key in @($script:Run.State['registryKeys'] | Sort-Object -Property Length -Descending)) {
        if (-not (Test-Path -LiteralPath $key)) { continue }
        $values = @((Get-Item -LiteralPath $key).GetValueNames()).Count
        if ($values + @(Get-ChildItem -LiteralPath $key).Count -eq 0) { Remove-Item -LiteralPath $key }
    }
    Remove-NodeMade -Chapter registryKeys
}

function Clear-NodeMadeFolder {
    # Removes the empty folders below one, the deepest first.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Below)

    foreach ($folder in @($script:Run.State['folders'] | Sort-Object -Property Length -Descending)) {
        if (-not $folder.StartsWith("$Below\", 'OrdinalIgnoreCase')) { continue }
        if (-not (Test-Path -LiteralPath $folder)) { continue }
        if (@(Get-ChildItem -LiteralPath $folder -Force).Count -eq 0) { Clear-NodePath -LiteralPath $folder }
    }
    Remove-NodeMade -Chapter folders
}

function Remove-NodeMade {
    # Drops the names of what is gone: the next one of that name is not winnode's. The caller saves the memory.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [ValidateSet('folders', 'registryKeys')] [string] $Chapter)

    $left = @($script:Run.State[$Chapter] | Where-Object -FilterScript { Test-Path -LiteralPath $_ })
    if ($PSCmdlet.ShouldProcess($Chapter, 'drop names')) { $script:Run.State[$Chapter] = $left }
}
