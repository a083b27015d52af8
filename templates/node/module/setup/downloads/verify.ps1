# Verifies downloads: a file is used only if it has the expected checksum.

function Save-NodeDownload {
    # Downloads a file, verifies it and returns its SHA-256. The file is next to its destination, with a temporary
    # name, so that the final name never has unverified content.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string] $LiteralPath
    )

    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $LiteralPath)
    $expected = Get-NodeExpectedDigest -Checksum $Step['checksum'] -LiteralPath "$LiteralPath.sum"
    if ((Get-NodeDigest -LiteralPath $LiteralPath) -ceq $expected) { return $expected }
    $pinned = $Step['checksum']['kind'] -ceq 'pinned'
    try {
        Receive-NodeChecked -Url $Step['url'] -LiteralPath $LiteralPath -Expected $expected -Pinned $pinned
    } catch {
        if ($null -eq $Step['copy']) { throw $_ }
        $message = "$($_.Exception.Message); trying the copy at $($Step['copy'])"
        Write-NodeLog -Level warn -Step $Step['id'] -Message $message
        Receive-NodeChecked -Url $Step['copy'] -LiteralPath $LiteralPath -Expected $expected -Pinned $pinned
    }
    $expected
}

function Receive-NodeChecked {
    # Downloads and verifies a file; if a resumed download has the wrong checksum, downloads it again from the
    # start.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Expected,
        [Parameter(Mandatory = $true)] [bool] $Pinned
    )

    $resumed = Receive-NodeFile -Url $Url -LiteralPath $LiteralPath -Pinned $Pinned
    $found = Get-NodeDigest -LiteralPath $LiteralPath
    if ($found -cne $Expected -and $resumed) {
        # The first part may be of another file.
        Clear-NodePath -LiteralPath $LiteralPath
        $null = Receive-NodeFile -Url $Url -LiteralPath $LiteralPath -Pinned $Pinned
        $found = Get-NodeDigest -LiteralPath $LiteralPath
    }
    if ($found -cne $Expected) {
        Clear-NodePath -LiteralPath $LiteralPath
        throw "${Url}: SHA-256 is $found, expected $Expected"
    }
}

function Get-NodeExpectedDigest {
    # The expected SHA-256 of a download: pinned in node.json, or read from the publisher's checksum file.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Checksum,
        [Parameter(Mandatory = $true)] [string] $LiteralPath
    )

    if ($Checksum['kind'] -ceq 'pinned') { return $Checksum['sha256'] }
    try {
        Clear-NodePath -LiteralPath $LiteralPath
        $null = Receive-NodeFile -Url $Checksum['url'] -LiteralPath $LiteralPath -Most $script:Limit.ChecksumBytes
        $text = Read-NodeText -LiteralPath $LiteralPath
    } finally {
        Clear-NodePath -LiteralPath $LiteralPath
    }
    $digest = Select-NodeChecksum -Text $text -Shape $Checksum['shape'] -Name $Checksum['name']
    if ($digest -eq '') { throw "$($Checksum['url']): no SHA-256 for $($Checksum['name'])" }
    $digest
}

function Select-NodeChecksum {
    # The SHA-256 in a checksum file: the whole file in the shape 'bare', the line with the file's name in the
    # shape 'named'. Names must match exactly. An empty string if there is none, or if two lines differ.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text,
        [Parameter(Mandatory = $true)] [ValidateSet('bare', 'named')] [string] $Shape,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if ($Shape -eq 'bare') {
        $token = $Text.Trim()
        if ($token -match '^[0-9a-fA-F]{64}$') { return $token.ToLowerInvariant() }
        return ''
    }
    $found = foreach ($line in $Text -split '\r?\n') {
        if ($line -match '^([0-9a-fA-F]{64})[ \t]+\*?(\S.*?)\s*$') {
            $digest = $Matches[1].ToLowerInvariant()
            $file = $Matches[2].Substring($Matches[2].LastIndexOf('/') + 1)
            if ($file -ceq $Name) { $digest }
        }
    }
    $distinct = @($found | Select-Object -Unique)
    if ($distinct.Count -eq 1) { return $distinct[0] }
    ''
}
