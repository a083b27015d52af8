# Releases address reservations of the IPAM plugin host-local.

function Clear-NodeReservation {
    # Releases the addresses that are reserved for a step.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($address in @(Get-NodeReservation -Step $Step)) {
        Clear-NodePath -LiteralPath ('{0}\{1}' -f (Get-NodeStore -Step $Step), $address)
        Write-NodeDetail -Text "$address is released"
    }
}
