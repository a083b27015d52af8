# hnsNetwork: the pod network in HNS, created by the network plugin or by hns-bridge.ps1.

$script:StepKind['hnsNetwork'] = @{ Noun = 'NodeHnsNetwork'; Subject = 'name'; Reset = 'always' }

function Test-NodeHnsNetwork {
    # True if the network exists, has the right type, and the network plugin has finished with it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $lack = Get-NodeNetworkLack -Step $Step
    if ($lack -ne '') { Write-NodeDetail -Text $lack }
    $lack -eq ''
}

function Get-NodeNetworkLack {
    # Why the network is incomplete, or an empty string. flanneld creates the network, waits for its address, and
    # writes its file last; a network and a file from before the last boot may still exist, and prove nothing.
    # https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/device_windows.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -eq $network) { return "HNS network $name not found" }
    $type = "$($network.Type)"
    if ($type -ne $Step['type']) { return "the network is $type, expected $($Step['type'])" }
    $address = Get-NodeNetworkAddress -Network $network
    if ($address -eq '') { return "the network $name has no management address" }
    if (-not (Test-NodeOwnAddress -Address $address)) {
        return "no interface has the address $address of the network"
    }
    if ($null -ne $Step['hnsModule']) { return Get-NodeBridgeLack -Network $network }
    $file = $Step['subnetFile']
    if ($null -eq $file) { return '' }
    if (-not (Test-Path -LiteralPath $file)) { return "$file not found" }
    if (Test-NodeOlderThanBoot -LiteralPath $file) { return "$file is from before the last boot" }
    $line = [regex]::Match((Read-NodeText -LiteralPath $file), '(?m)^FLANNEL_SUBNET=(\S+)\s*$')
    if (-not $line.Success) { return "${file}: no FLANNEL_SUBNET" }
    $has = ConvertTo-NodeSubnet -Prefix ([string]@($network.Subnets)[0].AddressPrefix)
    $says = ConvertTo-NodeSubnet -Prefix $line.Groups[1].Value
    if ($has -cne $says) { return "the network's subnet is $has, but FLANNEL_SUBNET in $file is $says" }
    ''
}

function Test-NodeOwnAddress {
    # Whether an interface has an address. While HNS moves the adapter to its virtual switch, the machine has none.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    @(Get-NetIPAddress -IPAddress $Address -ErrorAction SilentlyContinue).Count -gt 0
}

function Wait-NodeAddress {
    # Waits up to a minute for the address of a machine that has just booted, or that DHCP or HNS has just taken:
    # another adapter's would need a new network. Steps that need an address report its absence.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $before = "$($script:Run.State['address'])"
    if ($before -ne '') {
        $null = Wait-NodeCondition -Seconds 60 -Condition { Test-NodeOwnAddress -Address $before }
    }
    Wait-NodeCondition -Seconds 60 -Condition {
        try {
            Get-NodeFact -Name 'nodeIP'
        } catch {
            Write-Verbose -Message $_.Exception.Message
        }
    }
}

function Set-NodeHnsNetwork {
    # Waits for the network plugin to create the network; true if HNS needs a restart of the machine first. The
    # plugin creates it only at its start, so a plugin that runs is restarted.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'wait for network')) { return $false }
    if (-not (Test-NodeHnsPresent)) { return $true }
    if ($null -ne $Step['hnsModule']) {
        Initialize-NodeBridge -Step $Step
        return $false
    }
    $began = $script:Run.Started -contains $Step['service']
    $stale = -not (Wait-NodeCondition -Seconds 60 -Condition {
            $network = Get-NodeHnsNetwork -Name $Step['name']
            $address = if ($null -ne $network) { Get-NodeNetworkAddress -Network $network } else { '' }
            # A network that is being created has no address yet.
            if ($null -eq $network -or ($began -and $address -eq '')) { return $true }
            $address -ne '' -and (Test-NodeOwnAddress -Address $address)
        })
    # flanneld reuses a network with the same type and subnet, even if the address of the machine has changed.
    # https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/device_windows.go
    # The plugin waits for the API server itself, so that a restart too many does not help.
    if (-not (Test-NodeRestartLimit -Name $Step['service'])) {
        if ($stale) { Remove-NodeHnsNetwork -Network (Get-NodeHnsNetwork -Name $Step['name']) }
        if ($stale -or -not $began) { Start-NodeDaemon -Step (Get-NodeDaemonStep -Name $Step['service']) }
    }
    $ready = Wait-NodeCondition -Seconds $Step['timeout'] -Condition { (Get-NodeNetworkLack -Step $Step) -eq '' }
    if (-not $ready) { throw "after $($Step['timeout']) s: $(Get-NodeNetworkLack -Step $Step)" }
    $false
}

# The commands that remove an object of HNS.
$script:HnsRemoval = @{
    Network    = { param($Item) $Item | Remove-HnsNetwork -ErrorAction Stop }
    Endpoint   = { param($Item) $Item | Remove-HnsEndpoint -ErrorAction Stop }
    PolicyList = { param($Item) $Item | Remove-HnsPolicyList -ErrorAction Stop }
}

function Remove-NodeHnsObject {
    # Removes networks, endpoints or policy lists.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('Network', 'Endpoint', 'PolicyList')] [string] $Kind,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $InputObject
    )

    if (-not $PSCmdlet.ShouldProcess("$($InputObject.Count) of HNS", "remove $Kind")) { return }
    $script = $script:HnsRemoval[$Kind]
    foreach ($one in $InputObject) { $null = Invoke-NodeHnsCommand -Script $script -ArgumentList $one }
}

function Remove-NodeHnsNetwork {
    # Removes the endpoints and load balancers of a network, then the network.
    # https://github.com/microsoft/SDN/tree/master/Kubernetes/windows
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [object] $Network)

    if (-not $PSCmdlet.ShouldProcess($Network.Name, 'remove network')) { return }
    $endpoints = @(Get-NodeHnsEndpoint -Network $Network)
    # Load balancers whose endpoints, at least one, are all in this network: load balancers of other networks, and
    # policy lists without an endpoint, remain.
    $own = @($endpoints | ForEach-Object -Process { "/endpoints/$($_.ID)" })
    $lists = @(Get-NodeHnsObject -Kind PolicyList | Where-Object -FilterScript {
            $behind = @(Get-NodeHnsField -InputObject $_ -Name 'References')
            $behind.Count -gt 0 -and @($behind | Where-Object -FilterScript { $own -notcontains $_ }).Count -eq 0
        })
    Remove-NodeHnsObject -Kind PolicyList -InputObject $lists
    Remove-NodeHnsObject -Kind Endpoint -InputObject $endpoints
    Remove-NodeHnsObject -Kind Network -InputObject $Network
}

function Restore-NodeHnsNetwork {
    # Removes the network. The services that created it are stopped by now.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -eq $network -or -not $PSCmdlet.ShouldProcess($Step['name'], 'remove network')) { return }
    Remove-NodeHnsNetwork -Network $network
    # HNS stores some networks on the disk, and may restore one at its start.
    Restart-NodeService -Name 'hns'
    $answers = Wait-NodeCondition -Seconds 30 -Condition {
        try {
            $null = Get-NodeHnsObject -Kind Network
            $true
        } catch { Write-Verbose -Message $_.Exception.Message }
    }
    if (-not $answers) { throw 'the service hns does not answer after its restart' }
    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -ne $network) { Remove-NodeHnsNetwork -Network $network }
    Write-NodeDetail -Text 'the network is removed'
}
