# derivedFile: JSON of the bundle with node facts inserted.

$script:StepKind['derivedFile'] = @{
    Noun    = 'NodeDerivedFile'
    Subject = 'path'
    Class   = 'path'
    Memory  = 'NodeFile'
    Reset   = 'restore'
}

function Test-NodeDerivedFile {
    # True if the file is exactly the bundle's JSON with this node's facts inserted.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    try {
        $text = Get-NodeDerivedText -Step $Step
    } catch {
        # An unknown fact, or a damaged bundle: Set fails with the same message, and stops the run.
        Write-NodeDetail -Text $_.Exception.Message
        return $false
    }
    Test-NodeContent -LiteralPath $Step['path'] -Sha256 (Get-NodeTextDigest -Text $text)
}

function Set-NodeDerivedFile {
    # Writes the file.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'write file')) { return }
    Install-NodeText -LiteralPath $Step['path'] -Text (Get-NodeDerivedText -Step $Step)
}
