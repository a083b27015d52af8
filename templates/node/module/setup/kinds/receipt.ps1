# Checks downloaded files whose checksum is not in node.json against the recorded download.

function Test-NodeReceipt {
    # True if these files are recorded as downloaded from this URL with this checksum, and still have their
    # recorded checksums.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string[]] $Path
    )

    $receipt = Get-NodeReceipt -Step $Step
    if ($null -eq $receipt) {
        Write-NodeDetail -Text 'not installed by winnode'
        return $false
    }
    $pinned = $Step['checksum']['sha256']
    if ($receipt['url'] -cne $Step['url'] -or ($null -ne $pinned -and $receipt['sha256'] -cne $pinned)) {
        Write-NodeDetail -Text "installed from $($receipt['url'])"
        return $false
    }
    $same = $true
    foreach ($one in $Path) {
        $digest = $receipt['files'][$one]
        if ($null -eq $digest) {
            Write-NodeDetail -Text "$one was not installed with it"
            $same = $false
        } else {
            $same = (Test-NodeContent -LiteralPath $one -Sha256 $digest) -and $same
        }
    }
    $same
}
