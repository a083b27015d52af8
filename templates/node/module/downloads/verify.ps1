# A download counts only with the digest that it must have.

function Save-NodeDownload {
    # Fetches a file and checks its digest. What it returns is the digest; the file lies beside its last
    # place under a temporary name, so that nothing unchecked ever has the real one.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string] $LiteralPath
    )

    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $LiteralPath)
    $expected = Get-NodeExpectedDigest -Checksum $Step['checksum'] -LiteralPath "$LiteralPath.sum"
    if ((Get-NodeDigest -LiteralPath $LiteralPath) -ceq $expected) { return $expected }
    try {
        Receive-NodeChecked -Url $Step['url'] -LiteralPath $LiteralPath -Expected $expected
    } catch {
        $problem = $_
        if ($null -eq $Step['copy']) { throw $problem }
        $message = "$($problem.Exception.Message); $($Step['copy']) has a copy"
        Write-NodeLog -Level warn -Step $Step['id'] -Message $message
        Receive-NodeChecked -Url $Step['copy'] -LiteralPath $LiteralPath -Expected $expected
    }
    $expected
}

function Receive-NodeChecked {
    # Fetches a file, anew where what went on has the wrong digest; nothing is left of a wrong one.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Expected
    )

    $resumed = Receive-NodeFile -Url $Url -LiteralPath $LiteralPath
    $found = Get-NodeDigest -LiteralPath $LiteralPath
    if ($found -cne $Expected -and $resumed) {
        # The first part may be of another file.
        Clear-NodePath -LiteralPath $LiteralPath
        $null = Receive-NodeFile -Url $Url -LiteralPath $LiteralPath
        $found = Get-NodeDigest -LiteralPath $LiteralPath
    }
    if ($found -cne $Expected) {
        Clear-NodePath -LiteralPath $LiteralPath
        throw "$Url has sha256 $found, expected $Expected"
    }
}

function Get-NodeExpectedDigest {
    # The digest that a download must have: pinned in node.json, or read from the publisher's file.
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
    if ($digest -eq '') { throw "$($Checksum['url']) has no sha256 of $($Checksum['name'])" }
    $digest
}

function Select-NodeChecksum {
    # The SHA-256 in a checksum file: alone in the shape 'bare', on the line of its file in the shape 'named'.
    # Names are compared whole. An empty text where there is none, or where two lines disagree.
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
