# directory: a folder with its access list.

$script:StepKind['directory'] = @{ Noun = 'NodeDirectory'; Subject = 'path'; Reset = 'restore' }

function Test-NodeDirectory {
    # True if the folder exists and has the expected access list.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-Path -LiteralPath $Step['path'] -PathType Container)) {
        Write-NodeDetail -Text 'the folder is missing'
        return $false
    }
    if ($null -eq $Step['sddl']) { return $true }
    $found = Get-NodeAccess -LiteralPath $Step['path']
    $wanted = ConvertTo-NodeAccess -Sddl $Step['sddl']
    if ($found -cne $wanted) { Write-NodeDetail -Text "the access list is $found, expected $wanted" }
    $found -ceq $wanted
}

function Set-NodeDirectory {
    # Creates the folder and sets its access list.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'create folder')) { return }
    if (Test-Path -LiteralPath $Step['path'] -PathType Leaf) { throw "$($Step['path']) is a file: rename it" }
    Initialize-NodeFolder -LiteralPath $Step['path']
    if ($null -eq $Step['sddl']) { return }
    if ($Step['sddl'] -cne $script:ProtectedFolder -or $Step['layers']) {
        Protect-NodePath -LiteralPath $Step['path'] -Sddl $Step['sddl']
        return
    }
    $folders = @(Get-NodeKindStep -Kind directory | ForEach-Object -Process { $_['path'] })
    $why = @(Protect-NodeFolder -LiteralPath $Step['path'] -Except $folders -NoLink)
    if ($why.Count -gt 0) {
        throw "other users may have written to the folder: $(@($why | Select-Object -First 3) -join ', ')"
    }
}

function Backup-NodeDirectory {
    # The previous access list, or nothing if the folder was missing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-Path -LiteralPath $Step['path'])) { return $null }
    [ordered]@{ sddl = "$((Get-Acl -LiteralPath $Step['path']).Sddl)" }
}

function Restore-NodeDirectory {
    # Restores the access list of an earlier folder; removes winnode's folder if it is empty, or on request.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    $path = $Step['path']
    if (-not (Test-Path -LiteralPath $path)) { return }
    if (-not $PSCmdlet.ShouldProcess($path, 'restore folder')) { return }
    if ($null -ne $Before) {
        if ($null -ne $Step['sddl']) {
            Protect-NodePath -LiteralPath $path -Sddl $Before['sddl']
        }
        return
    }
    Clear-NodeCreatedFolder -Below $path
    $inside = @(Get-ChildItem -LiteralPath $path -Force | ForEach-Object -Process { $_.Name } | Sort-Object)
    # Image layers contain links: Remove-Item would follow them, and fail halfway.
    # https://github.com/microsoft/hcsshim/issues/312
    if ($inside.Count -eq 0 -or ($script:Run.RemoveData -and -not $Step['layers'])) {
        Clear-NodePath -LiteralPath $path
    } else {
        $more = if ($inside.Count -gt 3) { " and $($inside.Count - 3) more" } else { '' }
        Write-NodeDetail -Text "kept: contains $(@($inside | Select-Object -First 3) -join ', ')$more"
    }
}
