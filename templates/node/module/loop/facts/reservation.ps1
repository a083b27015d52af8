# Reads address reservations of the IPAM plugin host-local.

function Get-NodeStore {
    # The folder with one file for each reserved address. Its name is the name of the network in the CNI
    # configuration.
    # https://github.com/containernetworking/plugins/blob/main/plugins/ipam/host-local/backend/disk/backend.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    '{0}\{1}' -f $Step['dataDirectory'], $Step['network']
}

function Get-NodeReservation {
    # Addresses that are reserved for the container ID of a step.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $store = Get-NodeStore -Step $Step
    if (-not (Test-Path -LiteralPath $store)) { return }
    foreach ($file in @(Get-ChildItem -LiteralPath $store -File | Sort-Object -Property Name)) {
        if ($file.Name -notmatch '^\d{1,3}(\.\d{1,3}){3}$') { continue }
        $owner = (Read-NodeText -LiteralPath "$store\$($file.Name)") -split '\r?\n'
        if ($owner[0].Trim() -ceq $Step['containerId']) { $file.Name }
    }
}
