# Restarts daemons that read or create state only at their start; node.json lists what each creates and reads.

function Get-NodeDaemonStep {
    # The step that runs a service, with its inputs and outputs.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    foreach ($step in Get-NodeKindStep -Kind serviceRunning -Name $Name) { return $step }
    throw "node.json has no step that runs the service $Name"
}

function Get-NodeDaemonNetwork {
    # The HNS network that a service creates or uses, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($other in Get-NodeKindStep -Kind hnsNetwork) {
        if ($other['service'] -ceq $Step['name']) { return $other['name'] }
    }
    "$($Step['network'])"
}

function Get-NodeDaemonLack {
    # Why a running service must be restarted, or an empty string: an input of its start was replaced since, an
    # output of its start is missing, or HNS was restarted. kube-proxy never recreates load balancers that it has
    # created once. https://github.com/kubernetes/kubernetes/issues/135802
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($null -ne $Step['network']) {
        $network = Get-NodeHnsNetwork -Name $Step['network']
        if ($null -eq $network) { return "HNS network $($Step['network']) not found" }
        if ("$($network.ID)" -cne "$($script:Run.State['networks'][$Step['name']])") {
            return "the HNS network $($Step['network']) was recreated since the service started"
        }
    }
    $hns = if ((Get-NodeDaemonNetwork -Step $Step) -ne '') { Get-NodeHnsProcess } else { '' }
    if ($hns -ne '' -and $hns -cne "$($script:Run.State['hns'][$Step['name']])") {
        return 'the service hns was restarted since the service started'
    }
    # Missing files are reported by other checks, and a running service continues without them.
    $digest = Get-NodeReadDigest -Step $Step
    if ($digest -ne '' -and $digest -cne "$($script:Run.State['reads'][$Step['name']])") {
        return "$(@($Step['reads']) -join ', ') was replaced since the service started"
    }
    # kube-proxy also reports that it is healthy if it may not read Services or EndpointSlices, but creates none
    # then.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/healthcheck/proxy_health.go
    if ($Step['policyLists'] -and @(Get-NodeHnsObject -Kind PolicyList).Count -eq 0) {
        return 'it runs, but HNS has no load balancers: ' +
        'see its log for errors about Services and EndpointSlices'
    }
    ''
}

function Get-NodeReadDigest {
    # SHA-256 of the files that the service reads at its start only: a token in a kubeconfig is not read again.
    # https://github.com/kubernetes/client-go/blob/master/transport/token_source.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    "$(@($Step['reads'] | Where-Object -FilterScript { $_ } | ForEach-Object -Process {
                Get-NodeDigest -LiteralPath $_
            }))".Trim()
}

# At most this many restarts of a running service by the loop in an hour: each interrupts pods.
$script:RestartsPerHour = 3

function Test-NodeRestartLimit {
    # Whether the loop has restarted a service too often within the last hour to do it again.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $script:Run.Quiet -and @(Get-NodeRestartTime -Name $Name).Count -ge $script:RestartsPerHour
}

function Get-NodeRestartTime {
    # When a service was restarted within the last hour. Times after now are from before the clock was set.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $now = Read-NodeClock
    foreach ($text in "$($script:Run.State['starts'][$Name])".Split(' ')) {
        if ($text -eq '') { continue }
        $age = ($now - [DateTimeOffset]::Parse($text, $script:Invariant).UtcDateTime).TotalSeconds
        if ($age -ge 0 -and $age -lt 3600) { $text }
    }
}

function Assert-NodeRestartLimit {
    # Refuses one more restart of a service.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (-not (Test-NodeRestartLimit -Name $Name)) { return }
    throw "$Name was restarted $script:RestartsPerHour times within an hour; see its log"
}

function Add-NodeRestartTime {
    # Records that the loop restarts a service.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (-not $script:Run.Quiet) { return }
    $now = (Read-NodeClock).ToString('s') + 'Z'
    $script:Run.State['starts'][$Name] = @(@(Get-NodeRestartTime -Name $Name) + $now) -join ' '
}

function Start-NodeDaemon {
    # Restarts a service, so that it creates its state again. Files about its network are removed first, unless the
    # service and its network exist: without them the Node is not Ready, also where the service may not be
    # restarted yet. If the run is aborted here, the service is stopped, and the next run starts it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not $PSCmdlet.ShouldProcess($name, 'restart')) { return }
    $running = -not (Test-NodeServiceStopped -Name $name)
    $wanted = Get-NodeDaemonNetwork -Step $Step
    $network = if ($wanted -ne '') { Get-NodeHnsNetwork -Name $wanted }
    $limited = $running -and (Test-NodeRestartLimit -Name $name)
    if (-not $limited) { Close-NodeService -Name $name }
    if (-not $running -or $null -eq $network) {
        foreach ($path in @($Step['clears'])) { if ($path) { Clear-NodePath -LiteralPath $path } }
    }
    if ($limited) { Assert-NodeRestartLimit -Name $name }
    $state = $script:Run.State
    if ($null -ne $Step['network']) {
        if ($null -eq $network) { throw "HNS network $wanted not found" }
        $state['networks'][$name] = "$($network.ID)"
    }
    if ($wanted -ne '') { $state['hns'][$name] = Get-NodeHnsProcess }
    if ($null -ne $Step['reads']) { $state['reads'][$name] = Get-NodeReadDigest -Step $Step }
    if ($running) { Add-NodeRestartTime -Name $name }
    Save-NodeState
    $script:Run.Started += $name
    Open-NodeService -Name $name -Seconds $Step['timeout']
}
