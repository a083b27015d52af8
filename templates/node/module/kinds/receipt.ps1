# Where installed files came from, for files whose digest is not in node.json.

function Test-NodeReceipt {
    # True when the memory says that these files came from this address with this digest, and they still
    # have the digests that they had then.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string[]] $Path
    )

    $receipt = Get-NodeReceipt -Step $Step
    if ($null -eq $receipt) {
        Write-NodeDetail -Text 'it was not installed by winnode'
        return $false
    }
    $pinned = $Step['checksum']['sha256']
    if ($receipt['url'] -cne $Step['url'] -or ($null -ne $pinned -and $receipt['sha256'] -cne $pinned)) {
        Write-NodeDetail -Text "it was installed from $($receipt['url'])"
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
