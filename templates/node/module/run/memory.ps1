# What earlier runs noted on the disk, so that Reset can restore it.

function Get-NodeMemory {
    # What was noted of a step, by the name of the chapter: before, receipts.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('before', 'receipts')] [string] $Chapter,
        [Parameter(Mandatory = $true)] [string] $Id
    )

    , $script:Run.State[$Chapter][$Id]
}

function Write-NodeMemory {
    # Notes something of a step, on the disk before anything else happens.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('before', 'receipts')] [string] $Chapter,
        [Parameter(Mandatory = $true)] [string] $Id,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Value
    )

    $script:Run.State[$Chapter][$Id] = $Value
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
    # Writes the memory to the disk.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $text = ConvertTo-NodeJson -InputObject $script:Run.State
    Write-NodeText -LiteralPath $script:Run.StateFile -Text "$text`n"
}
