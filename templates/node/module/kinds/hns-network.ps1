# hnsNetwork: the network that the plugin makes.

$script:StepKind['hnsNetwork'] = @{ Noun = 'NodeHnsNetwork'; Subject = 'name'; Reset = 'always' }

function Test-NodeHnsNetwork {
    # True when the network is there, of the right type, and its plugin has done with it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $lack = Get-NodeNetworkLack -Step $Step
    if ($lack -ne '') { Write-NodeDetail -Text $lack }
    $lack -eq ''
}

function Get-NodeNetworkLack {
    # What the network still lacks, or an empty text. flanneld makes the network first, waits for its address,
    # and writes its file last; a file of an earlier start may name another subnet.
    # https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/device_windows.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -eq $network) { return "there is no HNS network $name" }
    if ("$($network.Type)" -ne $Step['type']) { return "the network is $($network.Type), wanted $($Step['type'])" }
    $address = $network.PSObject.Properties['ManagementIP']
    if ($null -eq $address -or "$($address.Value)" -eq '') { return "the network $name has no management address" }
    # While HNS puts its switch on the adapter, the machine has no address at all.
    $found = @(Get-NetIPAddress -IPAddress "$($address.Value)" -ErrorAction SilentlyContinue)
    if ($found.Count -eq 0) { return "no interface has the address $($address.Value) of the network" }
    $file = $Step['subnetFile']
    if ($null -eq $file) { return '' }
    if (-not (Test-Path -LiteralPath $file)) { return "there is no $file" }
    $line = [regex]::Match((Read-NodeText -LiteralPath $file), '(?m)^FLANNEL_SUBNET=(\S+)\s*$')
    if (-not $line.Success) { return "$file names no FLANNEL_SUBNET" }
    $has = ConvertTo-NodeSubnet -Prefix ([string]@($network.Subnets)[0].AddressPrefix)
    $says = ConvertTo-NodeSubnet -Prefix $line.Groups[1].Value
    if ($has -cne $says) { return "the network has the subnet $has, $file says $says" }
    ''
}

function Set-NodeHnsNetwork {
    # Waits for the network plugin to make it; true when only a restart brings the networking service.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'wait for network')) { return $false }
    if ($null -eq (Get-Command -Name 'Get-HnsNetwork' -ErrorAction SilentlyContinue)) {
        Write-NodeDetail -Text 'the feature Containers is not active yet'
        return $true
    }
    $ready = Wait-NodeCondition -Seconds $Step['timeout'] -Condition { (Get-NodeNetworkLack -Step $Step) -eq '' }
    if (-not $ready) { throw "after $($Step['timeout']) s $(Get-NodeNetworkLack -Step $Step)" }
    $false
}

function Restore-NodeHnsNetwork {
    # Takes away what hangs on the network, then the network. The services that made it have stopped by now.
    # https://github.com/microsoft/SDN/tree/master/Kubernetes/windows
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -eq $network -or -not $PSCmdlet.ShouldProcess($Step['name'], 'remove network')) { return $false }
    # Load balancers are kube-proxy's alone.
    Get-HnsPolicyList | Remove-HnsPolicyList
    Get-HnsEndpoint | Where-Object -FilterScript { $_.VirtualNetwork -eq $network.ID } | Remove-HnsEndpoint
    $network | Remove-HnsNetwork
    Write-NodeDetail -Text 'the network is gone'
    $false
}
