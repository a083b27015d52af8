# download: a downloaded and verified file.

$script:StepKind['download'] = @{
    Noun    = 'NodeDownload'
    Subject = 'path'
    Class   = 'path'
    Memory  = 'NodeFile'
    Reset   = 'restore'
}

function Test-NodeDownload {
    # True if the file has its expected checksum, as far as it is known without a download.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($Step['checksum']['kind'] -ceq 'pinned') {
        return Test-NodeContent -LiteralPath $Step['path'] -Sha256 $Step['checksum']['sha256']
    }
    Test-NodeReceipt -Step $Step -Path $Step['path']
}

function Set-NodeDownload {
    # Downloads, verifies and installs the file.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'download')) { return }
    $part = '{0}.winnode-part' -f $Step['path']
    # A file of another user would keep its owner.
    if ((Test-Path -LiteralPath $part) -and (Get-NodeDistrust -LiteralPath $part)) {
        Clear-NodePath -LiteralPath $part
    }
    $digest = Save-NodeDownload -Step $Step -LiteralPath $part
    Install-NodeFile -LiteralPath $part -Destination $Step['path']
    # A pinned checksum is in node.json, so it need not be recorded.
    if ($Step['checksum']['kind'] -cne 'pinned') {
        Write-NodeReceipt -Step $Step -Digest $digest -File ([ordered]@{ $Step['path'] = $digest })
    }
}
