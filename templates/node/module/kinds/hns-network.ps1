# hnsNetwork: the network of pods, which the plugin makes, or the node itself: see hns-bridge.ps1.

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
    # and writes its file last; a bridge and a file of an earlier start of the machine may be there still, and
    # prove nothing.
    # https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/device_windows.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -eq $network) { return "there is no HNS network $name" }
    if ("$($network.Type)" -ne $Step['type']) { return "the network is $($network.Type), wanted $($Step['type'])" }
    $address = Get-NodeNetworkAddress -Network $network
    if ($address -eq '') { return "the network $name has no management address" }
    if (-not (Test-NodeOwnAddress -Address $address)) {
        return "no interface has the address $address of the network"
    }
    if ($null -ne $Step['hnsModule']) { return Get-NodeBridgeLack -Network $network }
    $file = $Step['subnetFile']
    if ($null -eq $file) { return '' }
    if (-not (Test-Path -LiteralPath $file)) { return "there is no $file" }
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $started = [DateTimeOffset]::Parse((Get-NodeBootTime), $invariant).UtcDateTime
    if ((Get-Item -LiteralPath $file).LastWriteTimeUtc -lt $started) {
        return "$file is of an earlier start of the machine"
    }
    $line = [regex]::Match((Read-NodeText -LiteralPath $file), '(?m)^FLANNEL_SUBNET=(\S+)\s*$')
    if (-not $line.Success) { return "$file names no FLANNEL_SUBNET" }
    $has = ConvertTo-NodeSubnet -Prefix ([string]@($network.Subnets)[0].AddressPrefix)
    $says = ConvertTo-NodeSubnet -Prefix $line.Groups[1].Value
    if ($has -cne $says) { return "the network has the subnet $has, $file says $says" }
    ''
}

function Get-NodeNetworkAddress {
    # The management address of a network, or an empty text.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [object] $Network)

    $address = $Network.PSObject.Properties['ManagementIP']
    if ($null -eq $address) { '' } else { "$($address.Value)" }
}

function Test-NodeOwnAddress {
    # Whether an interface has an address. While HNS puts its switch on the adapter, the machine has none at all.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    @(Get-NetIPAddress -IPAddress $Address -ErrorAction SilentlyContinue).Count -gt 0
}

function Set-NodeHnsNetwork {
    # Waits for the network plugin to make it; true when only a restart brings the networking service. The plugin
    # makes it at its own start only, so one that has been running starts anew.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'wait for network')) { return $false }
    if ($null -eq (Get-Command -Name 'Get-HnsNetwork' -ErrorAction SilentlyContinue)) {
        Write-NodeDetail -Text 'the feature Containers is not active yet'
        return $true
    }
    if ($null -ne $Step['hnsModule']) {
        Initialize-NodeBridge -Step $Step
        return $false
    }
    $began = $script:Run.Started -contains $Step['service']
    $stale = -not (Wait-NodeCondition -Seconds 60 -Condition {
            $network = Get-NodeHnsNetwork -Name $Step['name']
            $address = if ($null -ne $network) { Get-NodeNetworkAddress -Network $network } else { '' }
            # One that is being made has no address yet.
            if ($null -eq $network -or ($began -and $address -eq '')) { return $true }
            $address -ne '' -and (Test-NodeOwnAddress -Address $address)
        })
    # flanneld keeps a network by type and subnet, also where the machine has another address by now.
    # https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/device_windows.go
    if ($stale) { Remove-NodeHnsNetwork -Network (Get-NodeHnsNetwork -Name $Step['name']) }
    if ($stale -or -not $began) { Start-NodeDaemon -Step (Get-NodeDaemonStep -Name $Step['service']) }
    $ready = Wait-NodeCondition -Seconds $Step['timeout'] -Condition { (Get-NodeNetworkLack -Step $Step) -eq '' }
    if (-not $ready) { throw "after $($Step['timeout']) s $(Get-NodeNetworkLack -Step $Step)" }
    $false
}

function Remove-NodeHnsNetwork {
    # Takes away what hangs on a network, then the network.
    # https://github.com/microsoft/SDN/tree/master/Kubernetes/windows
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [object] $Network)

    if (-not $PSCmdlet.ShouldProcess($Network.Name, 'remove network')) { return }
    $endpoints = @(
        Get-HnsEndpoint -ErrorAction Stop | Where-Object -FilterScript { $_.VirtualNetwork -eq $Network.ID }
    )
    # Load balancers that lead to nothing else than what goes: other networks have their own.
    $own = @($endpoints | ForEach-Object -Process { "/endpoints/$($_.ID)" })
    Get-HnsPolicyList -ErrorAction Stop | Where-Object -FilterScript {
        $behind = @(Get-NodeHnsField -InputObject $_ -Name 'References')
        @($behind | Where-Object -FilterScript { $own -notcontains $_ }).Count -eq 0
    } | Remove-HnsPolicyList -ErrorAction Stop
    $endpoints | Remove-HnsEndpoint -ErrorAction Stop
    $Network | Remove-HnsNetwork -ErrorAction Stop
}

function Restore-NodeHnsNetwork {
    # Takes the network away. The services that made it have stopped by now.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -eq $network -or -not $PSCmdlet.ShouldProcess($Step['name'], 'remove network')) { return $false }
    Remove-NodeHnsNetwork -Network $network
    # HNS keeps some networks on its disk, and may have one again after its own start.
    Restart-Service -Name 'hns' -Force
    $answers = Wait-NodeCondition -Seconds 30 -Condition { Test-NodeHnsService }
    if (-not $answers) { throw 'after its restart the service hns does not answer' }
    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -ne $network) { Remove-NodeHnsNetwork -Network $network }
    Write-NodeDetail -Text 'the network is gone'
    $false
}
