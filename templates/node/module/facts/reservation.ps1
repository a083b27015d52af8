# The store in which host-local keeps addresses.

function Get-NodeStore {
    # The folder in which the plugin host-local keeps one file for each address; the conf's name is its key.
    # https://github.com/containernetworking/plugins/blob/main/plugins/ipam/host-local/backend/disk/backend.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    '{0}\{1}' -f $Step['dataDirectory'], $Step['network']
}

function Get-NodeReservation {
    # Addresses that the store keeps for the container id of a step.
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

function Clear-NodeReservation {
    # Gives back what the store keeps for a step.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($address in @(Get-NodeReservation -Step $Step)) {
        Clear-NodePath -LiteralPath ('{0}\{1}' -f (Get-NodeStore -Step $Step), $address)
        Write-NodeDetail -Text "$address is free"
    }
}
