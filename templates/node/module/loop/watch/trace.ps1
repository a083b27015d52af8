# Reads the traces that a complete run leaves: if one differs, something has changed since.

# How to read each kind of trace. The name after the kind is a path, a file of the bundle, or the name of a
# service, network or fact.
$script:Trace = @{
    bundle   = { param($Name) Get-NodeDigest -LiteralPath (Join-Path -Path $script:Run.Bundle -ChildPath $Name) }
    file     = { param($Name) Get-NodeDigest -LiteralPath $Name }
    # Owner and access list.
    access   = { param($Name) if (Test-Path -LiteralPath $Name) { (Get-Acl -LiteralPath $Name).Sddl } else { '' } }
    service  = { param($Name) Get-NodeServiceText -Name $Name }
    network  = { param($Name) Get-NodeNetworkText -Name $Name }
    fact     = { param($Name) Get-NodeFact -Name $Name }
    # Not the fact nodeName: a node that has joined keeps its name when the machine gets another.
    hostname = { Get-NodeGivenName }
    # The next hops.
    route    = {
        param($Name)
        $routes = @(Get-NetRoute -DestinationPrefix $Name -ErrorAction SilentlyContinue)
        @($routes | ForEach-Object -Process { "$($_.NextHop)" }) -join ', '
    }
    reserved = { param($Name) Get-NodeReservedText -Id $Name }
    balancer = { param($Name) Get-NodeBalancerText -Name $Name }
    # The process of HNS: another one has lost an unknown part of its objects.
    hns      = { Get-NodeHnsProcess }
    policies = { @(Get-NodeHnsObject -Kind PolicyList).Count -gt 0 }
}

function Read-NodeTrace {
    # The present value of a trace, such as: file C:\k\kubelet.conf.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $kind, $rest = $Name -split ' ', 2
    try { "$(& $script:Trace[$kind] $rest)" } catch {
        # What could not be read once may be readable now: that is a difference, too.
        "unknown: $($_.Exception.Message)"
    }
}

function Get-NodeServiceText {
    # The status and the settings of a service. Services that run on demand are listed by other traces.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $values = @(
        'ImagePath', 'Start', 'DelayedAutostart', 'ObjectName', 'DependOnService', 'Environment', 'DeleteFlag'
        'FailureActions', 'FailureActionsOnNonCrashFailures', 'Parameters\Application', 'Parameters\AppParameters'
    )
    $data = Get-NodeServiceData -Name $Name -Value $values
    $texts = @(foreach ($path in $values) { "$path=$(@($data[$path]) -join ',')" })
    (@(Get-NodeServiceStatus -Name $Name) + $texts) -join '; '
}

function Get-NodeNetworkText {
    # The ID and the management address of an HNS network, if an interface has the address; the address of the
    # host's endpoint in it, and whether the interfaces of both forward.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $network = Get-NodeHnsNetwork -Name $Name
    if ($null -eq $network) { return 'missing' }
    $address = Get-NodeNetworkAddress -Network $network
    $owns = $address -ne '' -and $null -ne (Get-NetIPAddress -IPAddress $address -ErrorAction SilentlyContinue)
    $bridge = @(Get-NodeHnsEndpoint -Network $network -Field 'Name' -Value "$($Name)_ep")
    $own = @($bridge | ForEach-Object -Process { "$(Get-NodeHnsField -InputObject $_ -Name 'IPAddress')" })
    $forward = @(@($address) + $own | Where-Object -FilterScript { $_ -ne '' } | ForEach-Object -Process {
            $interface = Get-NodeInterface -Address $_
            if ($null -ne $interface) { "$($interface.Forwarding)" } else { 'missing' }
        })
    (@($network.ID, $network.Type, $address, $owns) + $own + $forward) -join ' '
}

function Get-NodeReservedText {
    # The addresses that a step has reserved.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Id)

    $step = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['id'] -ceq $Id })[0]
    @(Get-NodeReservation -Step $step) -join ', '
}

function Get-NodeBalancerText {
    # The addresses behind a load balancer, by its address, port and protocol number.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $vip, $port, $protocol = $Name.Split(' ')
    $found = @(Get-NodeLoadBalancer | Where-Object -FilterScript {
            $_.Vip -eq $vip -and $_.Port -eq $port -and $_.Protocol -eq $protocol
        })
    @($found | ForEach-Object -Process { $_.Behind } | Sort-Object | Select-Object -Unique) -join ', '
}
