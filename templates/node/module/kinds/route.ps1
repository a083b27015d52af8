# route: a route that the machine loses when the network takes its adapter, such as that to a cloud's metadata.

# https://github.com/kubernetes-sigs/sig-windows-tools/pull/38
# https://github.com/ovn-kubernetes/ovn-kubernetes/pull/3074
$script:StepKind['route'] = @{ Noun = 'NodeRoute'; Subject = 'prefix'; Reset = 'keep' }

function Get-NodeRouteHop {
    # The next hop of a route as it is now, or an empty text.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $routes = @(Get-NetRoute -DestinationPrefix $Step['prefix'] -ErrorAction SilentlyContinue)
    if ($routes.Count -gt 0) { "$($routes[0].NextHop)" } else { '' }
}

function Test-NodeRoute {
    # True when the route is there as it was noted. A machine that never had one needs none: clouds differ.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $hop = Get-NodeRouteHop -Step $Step
    $noted = "$($script:Run.State['routes'][$Step['prefix']])"
    if ($hop -ne $noted) { Write-NodeDetail -Text "its next hop is '$hop', and was '$noted'" }
    $hop -eq $noted
}

function Set-NodeRoute {
    # Notes a route that is there, and puts back one that is gone, until the next start of the machine.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['prefix'], 'keep route')) { return $false }
    $hop = Get-NodeRouteHop -Step $Step
    if ($hop -ne '') {
        $script:Run.State['routes'][$Step['prefix']] = $hop
        Save-NodeState
        return $false
    }
    # The interface that has the address now: since there is a network, another one.
    $interface = @(Get-NetIPAddress -IPAddress (Get-NodeFact -Name 'nodeIP') -ErrorAction Stop)[0]
    $route = @{
        DestinationPrefix = $Step['prefix']
        NextHop           = "$($script:Run.State['routes'][$Step['prefix']])"
        InterfaceIndex    = $interface.InterfaceIndex
        PolicyStore       = 'ActiveStore'
    }
    $null = New-NetRoute @route -ErrorAction Stop
    $false
}
