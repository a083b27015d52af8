# hostEndpoint: an address of the pod subnet kept for the host.

$script:StepKind['hostEndpoint'] = @{
    Noun    = 'NodeHostEndpoint'
    Subject = 'network'
    Key     = @('network', 'containerId')
    Reset   = 'always'
}

function Get-NodeHostAddress {
    # The address that a step keeps, by its place in the pod subnet.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $first = (Get-NodeFact -Name 'podSubnet').Split('/')[0]
    ConvertTo-NodeAddressText -Number ((Get-NodeAddressNumber -Address $first) + $Step['offset'])
}

function Test-NodeHostEndpoint {
    # True when the address is kept for the host, and no other one is.
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
    if (-not $same) { Write-NodeDetail -Text "kept: '$($addresses -join ', ')', wanted $wanted" }
    $same
}

function Set-NodeHostEndpoint {
    # Keeps the address in the way of host-local, which cannot be asked for a certain one.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'reserve address')) { return $false }
    $address = Get-NodeHostAddress -Step $Step
    $store = Get-NodeStore -Step $Step
    Clear-NodeReservation -Step $Step
    Initialize-NodeFolder -LiteralPath $store
    # A pod that came first may go: until then its plugin holds the address.
    $end = (Read-NodeClock).AddSeconds(30)
    while (Test-Path -LiteralPath "$store\$address") {
        if ((Read-NodeClock) -ge $end) { throw "$address belongs to a pod already" }
        $null = Read-NodeClock -After 2
    }
    $text = "{0}`r`nhost" -f $Step['containerId']
    [System.IO.File]::WriteAllText((Resolve-NodePath -LiteralPath "$store\$address"), $text)
    $false
}

function Restore-NodeHostEndpoint {
    # Gives the address back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['network'], 'give address back')) { Clear-NodeReservation -Step $Step }
    $false
}
