# route: a route that HNS removes when it creates the pod network, such as the one to a cloud's metadata service.

# https://github.com/kubernetes-sigs/sig-windows-tools/pull/38
# https://github.com/ovn-kubernetes/ovn-kubernetes/pull/3074
$script:StepKind['route'] = @{ Noun = 'NodeRoute'; Subject = 'prefix'; Reset = 'keep' }

function Get-NodeRouteHop {
    # The next hop of a route, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $routes = @(Get-NetRoute -DestinationPrefix $Step['prefix'] -ErrorAction SilentlyContinue)
    if ($routes.Count -gt 0) { "$($routes[0].NextHop)" } else { '' }
}

function Test-NodeRoute {
    # True if the route is as recorded. A machine that never had the route does not need it: clouds differ.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $hop = Get-NodeRouteHop -Step $Step
    $noted = "$($script:Run.State['routes'][$Step['prefix']])"
    if ($hop -ne $noted) { Write-NodeDetail -Text "its next hop is '$hop', expected '$noted'" }
    $hop -eq $noted
}

function Set-NodeRoute {
    # Records an existing route, and restores a missing one until the next boot.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['prefix'], 'restore route')) { return }
    $hop = Get-NodeRouteHop -Step $Step
    if ($hop -ne '') {
        $script:Run.State['routes'][$Step['prefix']] = $hop
        Save-NodeState
        return
    }
    # The interface that has the node's address now: a virtual one, once the pod network exists.
    $interface = @(Get-NetIPAddress -IPAddress (Get-NodeFact -Name 'nodeIP') -ErrorAction Stop)[0]
    $route = @{
        DestinationPrefix = $Step['prefix']
        NextHop           = "$($script:Run.State['routes'][$Step['prefix']])"
        InterfaceIndex    = $interface.InterfaceIndex
        PolicyStore       = 'ActiveStore'
    }
    $null = New-NetRoute @route -ErrorAction Stop
}
