# Waits for something that another program does.

function Wait-NodeCondition {
    # Checks a condition once a second; returns whether it became true in time.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [scriptblock] $Condition,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    for ($passed = 0; $passed -lt $Seconds; $passed++) {
        if (& $Condition) { return $true }
        $null = Read-NodeClock -After 1
    }
    [bool](& $Condition)
}
