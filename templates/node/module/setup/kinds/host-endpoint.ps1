# hostEndpoint: an address of the node's pod CIDR reserved for the host.

$script:StepKind['hostEndpoint'] = @{
    Noun    = 'NodeHostEndpoint'
    Subject = 'network'
    Key     = @('network', 'containerId')
    Memory  = 'NodeAddressReservation'
    Reset   = 'always'
}

function Get-NodeHostAddress {
    # The address that a step reserves, by its offset in the node's pod CIDR.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Get-NodeSubnetAddress -Subnet (Get-NodeFact -Name 'podSubnet') -Offset $Step['offset']
}

function Test-NodeHostEndpoint {
    # True if exactly the expected address is reserved for the host.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $addresses = @(Get-NodeReservation -Step $Step)
    try {
        $wanted = Get-NodeHostAddress -Step $Step
    } catch {
        Write-NodeDetail -Text $_.Exception.Message
        return $false
    }
    $same = $addresses.Count -eq 1 -and $addresses[0] -ceq $wanted
    if (-not $same) { Write-NodeDetail -Text "reserved: '$($addresses -join ', ')', expected $wanted" }
    $same
}

function Set-NodeHostEndpoint {
    # Writes the reservation as host-local does, because host-local cannot reserve a given address for the host.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'reserve address')) { return }
    $address = Get-NodeHostAddress -Step $Step
    $store = Get-NodeStore -Step $Step
    Clear-NodeReservation -Step $Step
    Initialize-NodeFolder -LiteralPath $store
    # If a pod has the address, waits until the pod is gone and its plugin has released it.
    $end = (Read-NodeClock).AddSeconds(30)
    while (Test-Path -LiteralPath "$store\$address") {
        if ((Read-NodeClock) -ge $end) { throw "$address is already assigned to a pod" }
        $null = Read-NodeClock -After 2
    }
    $text = "{0}`r`nhost" -f $Step['containerId']
    [System.IO.File]::WriteAllText((Resolve-NodePath -LiteralPath "$store\$address"), $text)
}
