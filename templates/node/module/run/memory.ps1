# What earlier runs noted on the disk, so that Reset can restore it.

function Get-NodeReceipt {
    # Where the files of a step came from, as it was noted.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    , $script:Run.State['receipts'][$Step['id']]
}

function Write-NodeReceipt {
    # Notes where the files of a step came from.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string] $Digest,
        # Their digests by their paths.
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $File
    )

    $script:Run.State['receipts'][$Step['id']] = [ordered]@{ url = $Step['url']; sha256 = $Digest; files = $File }
    Save-NodeState
}

function Save-NodeBundle {
    # Notes by its digest which bundle was installed last.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $digest = "$($script:Run.Document['sha256'])"
    if ("$($script:Run.State['bundle'])" -ceq $digest) { return }
    $script:Run.State['bundle'] = $digest
    Save-NodeState
}

function Save-NodeState {
    # Writes the memory to the disk. Before its first change by a run, what was read is kept beside it.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $good = "$($script:Run.StateFile).good"
    if ($script:Run.StateText -ne '') { Write-NodeText -LiteralPath $good -Text $script:Run.StateText }
    $script:Run.StateText = ''
    $text = ConvertTo-NodeJson -InputObject $script:Run.State
    Write-NodeText -LiteralPath $script:Run.StateFile -Text "$text`n"
}
