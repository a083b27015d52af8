# addressReservation: an address of the node's pod CIDR reserved for kube-proxy.

$script:StepKind['addressReservation'] = @{
    Noun    = 'NodeAddressReservation'
    Subject = 'network'
    Key     = @('network', 'containerId')
    Reset   = 'always'
}

function Test-NodeAddressReservation {
    # True if exactly one address is reserved, in the current pod CIDR, and is the one in the step, if any.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $addresses = @(Get-NodeReservation -Step $Step)
    try {
        $subnet = Get-NodeFact -Name 'podSubnet'
    } catch {
        Write-NodeDetail -Text $_.Exception.Message
        return $false
    }
    $same = $addresses.Count -eq 1 -and (Test-NodeSubnetMember -Subnet $subnet -Address $addresses[0])
    if ($null -ne $Step['address']) { $same = $same -and $addresses[0] -ceq $Step['address'] }
    if (-not $same) { Write-NodeDetail -Text "reserved: '$($addresses -join ', ')', expected one of $subnet" }
    $same
}

function Set-NodeAddressReservation {
    # Reserves an address with host-local, which allocates another one at each call: reservations from an earlier
    # pod CIDR are released first.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'reserve address')) { return }
    $subnet = Get-NodeFact -Name 'podSubnet'
    Clear-NodeReservation -Step $Step
    $conf = [ordered]@{
        cniVersion = '1.0.0'
        name       = $Step['network']
        ipam       = [ordered]@{
            type    = 'host-local'
            ranges  = @(, @([ordered]@{ subnet = $subnet }))
            dataDir = $Step['dataDirectory']
        }
    }
    $call = [ordered]@{
        CNI_COMMAND     = 'ADD'
        CNI_CONTAINERID = $Step['containerId']
        CNI_NETNS       = 'none'
        CNI_IFNAME      = 'source-vip'
        CNI_PATH        = Get-NodeParent -LiteralPath $Step['hostLocal']
    }
    # https://www.cni.dev/plugins/current/ipam/host-local/#supported-arguments
    if ($null -ne $Step['address']) { $call['CNI_ARGS'] = "IP=$($Step['address'])" }
    try {
        foreach ($name in @($call.Keys)) { Set-Item -Path "Env:$name" -Value $call[$name] }
        $null = Invoke-Native -FilePath $Step['hostLocal'] -InputText (ConvertTo-NodeJson -InputObject $conf)
    } finally {
        foreach ($name in @($call.Keys)) { Remove-Item -LiteralPath "Env:$name" -ErrorAction SilentlyContinue }
    }
}

function Restore-NodeAddressReservation {
    # Releases the address.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['network'], 'release address')) { Clear-NodeReservation -Step $Step }
}
