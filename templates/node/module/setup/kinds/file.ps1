# file: an unchanged file of the bundle.

$script:StepKind['file'] = @{ Noun = 'NodeFile'; Subject = 'path'; Class = 'path'; Reset = 'restore' }

function Test-NodeFile {
    # True if the file is identical to the bundle's.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeContent -LiteralPath $Step['path'] -Sha256 $Step['sha256']
}

function Set-NodeFile {
    # Copies the file from the bundle.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'write file')) { return }
    $source = Resolve-NodeSource -Source $Step['source'] -Sha256 $Step['sha256']
    $fresh = '{0}.winnode-new' -f $Step['path']
    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $Step['path'])
    Clear-NodePath -LiteralPath $fresh
    Copy-Item -LiteralPath $source -Destination $fresh -Force
    Install-NodeFile -LiteralPath $fresh -Destination $Step['path']
}

function Backup-NodeFile {
    # The previous file.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Backup-NodePath -LiteralPath $Step['path']
}

function Restore-NodeFile {
    # Restores the previous file, or removes the file if there was none.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($PSCmdlet.ShouldProcess($Step['path'], 'restore file')) {
        Restore-NodePath -LiteralPath $Step['path'] -Before $Before
    }
}
