# What the host networking service makes on request, and what it refuses.

# Codes and words: https://learn.microsoft.com/virtualization/api/hcn/reference/hcn_error_codes
# That an attached endpoint refuses a second attachment: flannel, pkg/backend/hostgw/hostgw_windows.go (HostAttach).
$script:HnsError = @{
    '0x803b0001' = 'The network was not found.'
    '0x803b0002' = 'The endpoint was not found.'
    '0x803b0006' = 'An adapter was not found.'
    '0x803b000a' = 'The provided network configuration is invalid or missing parameters.'
    '0x803b000b' = 'Invalid network type.'
    '0x803b0010' = 'A network with this name already exists.'
    '0x803b0014' = 'This endpoint is already attached to the switch.'
    '0x803b0015' = 'The specified request is unsupported.'
    '0x803b001e' = 'IP address is either invalid or not part of any configured subnet(s).'
    '0x803b002f' = 'An address provided is invalid or reserved.'
    '0x803b0030' = 'The prefix provided is invalid.'
}

function Invoke-HostHns {
    # The answer to one request, as JSON.
    param([string] $Method, [string] $Type, [string] $Action, [string] $Data, [guid] $Id)

    try {
        if ($Method -ne 'POST') { throw '0x803b0015' }
        Assert-HostHealth -On "HNS $Type"
        $wish = $Data | ConvertFrom-Json
        $made = switch ("$Type $Action".Trim()) {
            'networks' { Add-HostHnsNetwork -Wish $wish }
            'endpoints' { Add-HostHnsEndpoint -Wish $wish }
            'endpoints attach' { Join-HostHnsEndpoint -Wish $wish -Id "$Id" }
            default { throw '0x803b0015' }
        }
        ConvertTo-Json -InputObject @{ Success = $true; Output = $made } -Depth 9
    } catch {
        $code = "$_"
        if (-not $script:HnsError.ContainsKey($code)) { throw }
        ConvertTo-Json -InputObject @{ Success = $false; Error = $script:HnsError[$code]; ErrorCode = [long]$code }
    }
}

function Get-HostWish {
    # A property of a request, or nothing.
    param([object] $Wish, [string] $Name)

    $found = $Wish.PSObject.Properties[$Name]
    if ($null -ne $found) { $found.Value }
}

function Add-HostHnsNetwork {
    # A bridge or an overlay on the network card. Windows takes no VXLAN identifier below 4096.
    # https://github.com/flannel-io/flannel/blob/master/pkg/backend/vxlan/vxlan_windows.go
    param([object] $Wish)

    $name = "$(Get-HostWish -Wish $Wish -Name 'Name')"
    $type = "$(Get-HostWish -Wish $Wish -Name 'Type')"
    if ($type -notin 'L2Bridge', 'Overlay') { throw '0x803b000b' }
    $adapter = Get-HostWish -Wish $Wish -Name 'NetworkAdapterName'
    if ($null -ne $adapter -and $adapter -ne 'Ethernet') { throw '0x803b0006' }
    $subnets = @(Get-HostWish -Wish $Wish -Name 'Subnets')
    if ($name -eq '' -or $subnets.Count -ne 1) { throw '0x803b000a' }
    if (@($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $name }).Count -gt 0) { throw '0x803b0010' }
    $subnet = try { ConvertTo-HostSubnet -Text "$(Get-HostWish -Wish $subnets[0] -Name 'AddressPrefix')" } catch { throw '0x803b0030' }
    $gateway = ConvertTo-HostNumber -Text "$(Get-HostWish -Wish $subnets[0] -Name 'GatewayAddress')"
    $policies = @(Get-HostWish -Wish $subnets[0] -Name 'Policies')
    $identified = @($policies | Where-Object -FilterScript { $null -ne $_ -and $_.Type -eq 'VSID' -and $_.VSID -ge 4096 })
    if ($type -eq 'Overlay' -and $identified.Count -ne 1) { throw '0x803b000a' }
    if ($null -eq $gateway -or $gateway.Number -le $subnet.First -or $gateway.Number -ge $subnet.Last) { throw '0x803b002f' }
    Add-HostCall -Text "HNS POST networks $name"
    Add-HostNetwork -Name $name -Type $type -Subnet "$(Get-HostWish -Wish $subnets[0] -Name 'AddressPrefix')"
    @{ ID = $script:Machine.Networks[-1].ID; Name = $name }
}

function Add-HostHnsEndpoint {
    # An endpoint in a network: its address is no other one's, nor the gateway's.
    param([object] $Wish)

    $network = $script:Machine.Networks | Where-Object -FilterScript { $_.ID -eq "$(Get-HostWish -Wish $Wish -Name 'VirtualNetwork')" }
    if ($null -eq $network) { throw '0x803b0001' }
    $address = "$(Get-HostWish -Wish $Wish -Name 'IPAddress')"
    $number = ConvertTo-HostNumber -Text $address
    $subnet = ConvertTo-HostSubnet -Text $network.Subnet
    if ($null -eq $number -or $number.Number -lt $subnet.First -or $number.Number -gt $subnet.Last) { throw '0x803b001e' }
    $taken = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.VirtualNetwork -eq $network.ID -and $_.IPAddress -eq $address })
    if ($taken.Count -gt 0 -or $number.Number -eq $subnet.First -or $number.Number -eq $subnet.First + 1 -or $number.Number -eq $subnet.Last) { throw '0x803b002f' }
    Add-HostCall -Text "HNS POST endpoints $($Wish.Name)"
    $endpoint = @{
        ID = "$([guid]::NewGuid())"; Name = "$($Wish.Name)"; Type = $network.Type; IPAddress = $address
        VirtualNetwork = $network.ID; VirtualNetworkName = $network.Name; State = 1; Attached = $false
    }
    $script:Machine.Endpoints += $endpoint
    @{ ID = $endpoint.ID }
}

function Join-HostHnsEndpoint {
    # Attaches an endpoint to the host: its address is then one of the machine's, on a separate adapter.
    param([object] $Wish, [string] $Id)

    $endpoint = $script:Machine.Endpoints | Where-Object -FilterScript { $_.ID -eq $Id }
    if ($null -eq $endpoint) { throw '0x803b0002' }
    if ("$(Get-HostWish -Wish $Wish -Name 'SystemType')" -ne 'Host' -or $Wish.CompartmentId -ne 1) { throw '0x803b0015' }
    if ($endpoint.Attached) { throw '0x803b0014' }
    Add-HostCall -Text "HNS POST endpoints $($endpoint.Name) attach"
    $endpoint.Attached = $true
    $endpoint.State = 2
    @{ ID = $Id }
}

function Get-NetIPInterface {
    [CmdletBinding()]
    param([int] $InterfaceIndex, [string] $AddressFamily)

    $state = if ($script:Machine.Forwarding -contains $InterfaceIndex) { 'Enabled' } else { 'Disabled' }
    [pscustomobject]@{ InterfaceIndex = $InterfaceIndex; AddressFamily = $AddressFamily; Forwarding = $state }
}

function Set-NetIPInterface {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(ValueFromPipelineByPropertyName = $true)] [int] $InterfaceIndex,
        [Parameter(ValueFromPipelineByPropertyName = $true)] [string] $AddressFamily,
        [ValidateSet('Enabled', 'Disabled')] [string] $Forwarding
    )

    process {
        Add-HostCall -Text "Set-NetIPInterface $InterfaceIndex $Forwarding"
        $others = @($script:Machine.Forwarding | Where-Object -FilterScript { $_ -ne $InterfaceIndex })
        $script:Machine.Forwarding = @(if ($Forwarding -eq 'Enabled') { $others + $InterfaceIndex } else { $others })
    }
}
