# Rows of the comparison between cluster and bundle.

function ConvertTo-NodeComparison {
    # A row of the comparison: two values, and whether they are equal.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Cluster,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Bundle,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Where,
        [Parameter()] [string] $By = 'the cluster',
        [Parameter()] [switch] $Same
    )

    $state = if ($Same) { 'same' } else { 'other' }
    @{ Name = $Name; Cluster = $Cluster; Bundle = $Bundle; Where = $Where; By = $By; State = $state }
}

function ConvertTo-NodeOpenQuestion {
    # A row that could not be compared: the reason, and the accounts that may read the object.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Source,
        [Parameter(Mandatory = $true)] [string] $Why
    )

    @{ Name = $Source.Tells; Cluster = "$Why; $($Source.Who)"; State = 'open' }
}
