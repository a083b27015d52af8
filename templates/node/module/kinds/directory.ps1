# directory: a folder with its access list.

$script:StepKind['directory'] = @{ Noun = 'NodeDirectory'; Subject = 'path'; Reset = 'restore' }

function Test-NodeDirectory {
    # True when the folder is there and its access list is the wanted one.
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
    if ($found -cne $wanted) { Write-NodeDetail -Text "the access list is $found, wanted $wanted" }
    $found -ceq $wanted
}

function Set-NodeDirectory {
    # Makes the folder and gives it its access list.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'make folder')) { return $false }
    Initialize-NodeFolder -LiteralPath $Step['path']
    if ($null -eq $Step['sddl']) { return $false }
    if ($Step['sddl'] -cne $script:ProtectedFolder -or $Step['layers']) {
        Protect-NodePath -LiteralPath $Step['path'] -Sddl $Step['sddl']
        return $false
    }
    $folders = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['kind'] -ceq 'directory' } |
            ForEach-Object -Process { $_['path'] })
    $why = @(Protect-NodeFolder -LiteralPath $Step['path'] -Except $folders -NoLink)
    if ($why.Count -gt 0) { throw "others have written there: $(@($why | Select-Object -First 3) -join ', ')" }
    $false
}

function Backup-NodeDirectory {
    # The access list before, or nothing where there was no folder.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-Path -LiteralPath $Step['path'])) { return $null }
    [ordered]@{ sddl = "$((Get-Acl -LiteralPath $Step['path']).Sddl)" }
}

function Restore-NodeDirectory {
    # Gives an earlier folder its list back; takes one of ours away when it is empty, or when asked to.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    $path = $Step['path']
    if (-not (Test-Path -LiteralPath $path)) { return $false }
    if (-not $PSCmdlet.ShouldProcess($path, 'restore folder')) { return $false }
    if ($null -ne $Before) {
        if ($null -ne $Step['sddl']) {
            Protect-NodePath -LiteralPath $path -Sddl $Before['sddl']
        }
        return $false
    }
    Clear-NodeMadeFolder -Below $path
    $inside = @(Get-ChildItem -LiteralPath $path -Force | ForEach-Object -Process { $_.Name } | Sort-Object)
    # Layers of images are links that Remove-Item would follow into, and fail halfway.
    # https://github.com/microsoft/hcsshim/issues/312
    if ($inside.Count -eq 0 -or ($script:Run.RemoveData -and -not $Step['layers'])) {
        Clear-NodePath -LiteralPath $path
    } else {
        $more = if ($inside.Count -gt 3) { " and $($inside.Count - 3) more" } else { '' }
        Write-NodeDetail -Text "kept: it holds $(@($inside | Select-Object -First 3) -join ', ')$more"
    }
    $false
}
