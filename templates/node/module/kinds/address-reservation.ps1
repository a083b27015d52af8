# addressReservation: an address of the pod subnet kept for kube-proxy.

$script:StepKind['addressReservation'] = @{
    Noun    = 'NodeAddressReservation'
    Subject = 'network'
    Key     = @('network', 'containerId')
    Reset   = 'always'
}

function Test-NodeAddressReservation {
    # True when exactly one address of the present pod subnet is kept, and it is the one that is wanted.
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
    if (-not $same) { Write-NodeDetail -Text "kept: '$($addresses -join ', ')' of $subnet" }
    $same
}

function Set-NodeAddressReservation {
    # Lets the plugin's own program keep an address. It takes another one each time it is asked, so what
    # belongs to an earlier subnet goes first.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'reserve address')) { return $false }
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
    $false
}

function Restore-NodeAddressReservation {
    # Gives the address back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['network'], 'give address back')) { Clear-NodeReservation -Step $Step }
    $false
}
