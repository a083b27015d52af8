# pageFile: one page file of a fixed size.

$script:StepKind['pageFile'] = @{ Noun = 'NodePageFile'; Subject = 'path'; Key = @(); Reset = 'restore' }

function Get-NodeExpectedPageFile {
    # The setting as Windows stores it: path, initial size and maximum size in MiB.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    '{0} {1} {1}' -f $Step['path'], $Step['sizeMiB']
}

function Test-NodePageFile {
    # True if this page file of this size is the only one. '?:\pagefile.sys' means that Windows manages the size.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeRegistryData -Key "$script:SessionManager\Memory Management" -Name 'PagingFiles'
    $found = @($found)
    $same = $found.Count -eq 1 -and $found[0] -eq (Get-NodeExpectedPageFile -Step $Step)
    if (-not $same) { Write-NodeDetail -Text "page files: $($found -join ', ')" }
    $same
}

function Set-NodePageFile {
    # Configures the page file; Windows creates it at the next boot.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'set page file')) { return $false }
    $value = [string[]]@(Get-NodeExpectedPageFile -Step $Step)
    $key = "$script:SessionManager\Memory Management"
    Write-NodeRegistryData -Key $key -Name 'PagingFiles' -Type 'MultiString' -Value $value
    $true
}

function Backup-NodePageFile {
    # The previous setting.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    Backup-NodeRegistryData -Key "$script:SessionManager\Memory Management" -Name 'PagingFiles'
}

function Restore-NodePageFile {
    # Restores the previous setting.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'restore page file')) { return $false }
    Restore-NodeRegistryData -Key "$script:SessionManager\Memory Management" -Name 'PagingFiles' -Before $Before
    $true
}
