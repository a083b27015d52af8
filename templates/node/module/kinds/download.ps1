# download: a file of a publisher, checked.

$script:StepKind['download'] = @{
    Noun    = 'NodeDownload'
    Subject = 'path'
    Class   = 'path'
    Memory  = 'NodeFile'
    Reset   = 'restore'
}

function Test-NodeDownload {
    # True when the file is what its publisher or node.json says, as far as that is known without a network.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($Step['checksum']['kind'] -ceq 'pinned') {
        return Test-NodeContent -LiteralPath $Step['path'] -Sha256 $Step['checksum']['sha256']
    }
    Test-NodeReceipt -Step $Step -Path $Step['path']
}

function Set-NodeDownload {
    # Fetches the file, checks it, and puts it in place.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'download')) { return $false }
    $part = '{0}.winnode-part' -f $Step['path']
    # A stranger's would stay his.
    if ((Test-Path -LiteralPath $part) -and (Get-NodeDistrust -LiteralPath $part)) {
        Clear-NodePath -LiteralPath $part
    }
    $digest = Save-NodeDownload -Step $Step -LiteralPath $part
    Install-NodeFile -LiteralPath $part -Destination $Step['path']
    # A pinned digest stands in node.json, so it needs no receipt.
    if ($Step['checksum']['kind'] -cne 'pinned') {
        Write-NodeReceipt -Step $Step -Digest $digest -File ([ordered]@{ $Step['path'] = $digest })
    }
    $false
}
