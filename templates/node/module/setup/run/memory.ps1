# Records in the state file what Reset and later runs need.

function Get-NodeReceipt {
    # The recorded source of a step's downloaded files.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    , $script:Run.State['receipts'][$Step['id']]
}

function Write-NodeReceipt {
    # Records the source of a step's downloaded files.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string] $Digest,
        # SHA-256 by path.
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $File
    )

    $script:Run.State['receipts'][$Step['id']] = [ordered]@{ url = $Step['url']; sha256 = $Digest; files = $File }
    Save-NodeState
}

function Save-NodeBundle {
    # Records the SHA-256 of the bundle that was installed last.
    [CmdletBinding()]
    param()

    $digest = "$($script:Run.Document['sha256'])"
    if ("$($script:Run.State['bundle'])" -ceq $digest) { return }
    $script:Run.State['bundle'] = $digest
    Save-NodeState
}

function Save-NodeState {
    # Writes the state file. The first write of a run saves the previous version as state.json.good.
    [CmdletBinding()]
    param()

    $good = "$($script:Run.StateFile).good"
    if ($script:Run.StateText -ne '') { Write-NodeText -LiteralPath $good -Text $script:Run.StateText }
    $script:Run.StateText = ''
    $text = ConvertTo-NodeJson -InputObject $script:Run.State
    Write-NodeText -LiteralPath $script:Run.StateFile -Text "$text`n"
}
