# The network card, its route, and what the host networking service knows.

function Get-NetRoute {
    [CmdletBinding()]
    param([string] $DestinationPrefix)

    $all = [pscustomobject]@{
        DestinationPrefix = '0.0.0.0/0'; NextHop = '192.0.2.1'; InterfaceAlias = 'Ethernet'; InterfaceIndex = 4
        RouteMetric = 0; InterfaceMetric = 15
    }
    if ($script:Machine.Address -eq '' -or $script:Machine.Moving) {
        Write-Error -Message 'No MSFT_NetRoute objects found with property ''DestinationPrefix'' equal to ''0.0.0.0/0''.'
        return
    }
    $all
}

function Get-NetIPAddress {
    # The address moves to a virtual card once HNS has a network on it.
    [CmdletBinding()]
    param([string] $IPAddress, [string] $InterfaceAlias, [int] $InterfaceIndex, [string] $AddressFamily)

    $virtual = (Get-HostSwitch -Name 'AddressMoves') -and
    @($script:Machine.Networks | Where-Object -FilterScript { $_.Type -in 'Overlay', 'L2Bridge' }).Count -gt 0
    $alias = if ($virtual) { 'vEthernet (Ethernet)' } else { 'Ethernet' }
    $other = ($InterfaceAlias -and $InterfaceAlias -ne $alias) -or ($IPAddress -and $IPAddress -ne $script:Machine.Address)
    if ($script:Machine.Moving -or $other) {
        Write-Error -Message "No MSFT_NetIPAddress objects found with property 'InterfaceAlias' equal to '$InterfaceAlias'."
        return
    }
    [pscustomobject]@{ IPAddress = $script:Machine.Address; PrefixLength = 24; InterfaceAlias = $alias; InterfaceIndex = 4 }
}

function Get-NetAdapter {
    [CmdletBinding()]
    param()

    [pscustomobject]@{ Name = 'Ethernet'; InterfaceDescription = 'Virtual network card'; Status = 'Up'; LinkSpeed = '10 Gbps' }
}

function HostGet-HnsNetwork {
    [CmdletBinding()]
    param()

    foreach ($network in $script:Machine.Networks) {
        $found = [ordered]@{
            Name = $network.Name; Type = $network.Type; ID = $network.ID; State = 1
            Subnets = @([pscustomobject]@{ AddressPrefix = $network.Subnet; GatewayAddress = '' })
        }
        if ($network.ManagementIP -ne '' -or -not (Get-HostSwitch -Name 'AddressIsMissing')) { $found['ManagementIP'] = $network.ManagementIP }
        [pscustomobject]$found
    }
}

function Add-HostNetwork {
    # A new network: it has its management address somewhat later, and while HNS puts a virtual switch on the
    # adapter, no interface has the address of the machine.
    param([string] $Name, [string] $Type, [string] $Subnet)

    $script:Machine.Made++
    $script:Machine.Networks += @{ Name = $Name; Type = $Type; ID = "id-$($script:Machine.Made)"; Subnet = $Subnet; ManagementIP = '' }
    $script:Machine.Moving = Get-HostSwitch -Name 'AdapterLosesAddress'
    $late = $script:Machine.Network
    Add-HostDue -After $late.Address -Name 'hns-address' -Subject $Name
    Add-HostDue -After ($late.Address + $late.Interface) -Name 'hns-interface' -Subject $Name
}

$script:Happening['hns-address'] = {
    param($Name)
    foreach ($network in $script:Machine.Networks) {
        if ($network.Name -eq $Name) { $network.ManagementIP = $script:Machine.Address }
    }
}

$script:Happening['hns-interface'] = { $script:Machine.Moving = $false }

function HostGet-HnsEndpoint {
    [CmdletBinding()]
    param()

    foreach ($endpoint in $script:Machine.Endpoints) { [pscustomobject]$endpoint }
}

function HostGet-HnsPolicyList {
    [CmdletBinding()]
    param()

    foreach ($list in $script:Machine.PolicyLists) { [pscustomobject]$list }
}

function HostRemove-HnsNetwork {
    [CmdletBinding()]
    param([Parameter(ValueFromPipeline = $true)] [object] $InputObject)

    process {
        Add-HostCall -Text "Remove-HnsNetwork $($InputObject.Name)"
        $hanging = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.VirtualNetwork -eq $InputObject.ID })
        if ($hanging.Count -gt 0) { throw 'Hns failed with error : The network has active endpoints.' }
        $script:Machine.Networks = @($script:Machine.Networks | Where-Object -FilterScript { $_.ID -ne $InputObject.ID })
    }
}

function HostRemove-HnsEndpoint {
    [CmdletBinding()]
    param([Parameter(ValueFromPipeline = $true)] [object] $InputObject)

    process {
        Add-HostCall -Text "Remove-HnsEndpoint $($InputObject.ID)"
        $script:Machine.Endpoints = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.ID -ne $InputObject.ID })
    }
}

function HostRemove-HnsPolicyList {
    [CmdletBinding()]
    param([Parameter(ValueFromPipeline = $true)] [object] $InputObject)

    process {
        Add-HostCall -Text "Remove-HnsPolicyList $($InputObject.ID)"
        $script:Machine.PolicyLists = @($script:Machine.PolicyLists | Where-Object -FilterScript { $_.ID -ne $InputObject.ID })
    }
}

function Restart-HostHns {
    # What a restart of the networking service leaves: not what was made without persistence, as flanneld makes its
    # overlay (EnableNonPersistent), and no load balancer.
    $machine = $script:Machine
    $machine.Networks = @($machine.Networks | Where-Object -FilterScript { $_.Type -ne 'Overlay' })
    $kept = @($machine.Networks | ForEach-Object -Process { $_.ID })
    $machine.Endpoints = @($machine.Endpoints | Where-Object -FilterScript { $kept -contains $_.VirtualNetwork })
    $machine.PolicyLists = @()
}

function Set-HostAddress {
    # The machine gets another address. Whether HNS tells it to its networks is not documented: both are tried.
    param([string] $Address, [bool] $Follows)

    $script:Machine.Address = $Address
    if (-not $Follows) { return }
    foreach ($network in $script:Machine.Networks) { $network.ManagementIP = $Address }
}
