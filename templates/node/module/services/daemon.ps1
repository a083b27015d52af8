# Restarts daemons that read or create state only at their start; node.json lists what each creates and reads.

function Get-NodeDaemonStep {
    # The step that runs a service, with its inputs and outputs.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'serviceRunning' -and $step['name'] -ceq $Name) { return $step }
    }
    throw "node.json has no step that runs the service $Name"
}

function Get-NodeDaemonLack {
    # Why a running service must be restarted, or an empty string: an input of its start was replaced since, or an
    # output of its start is missing.
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
    # Missing files are reported by other checks, and a running service continues without them.
    $digest = Get-NodeReadDigest -Step $Step
    if ($digest -ne '' -and $digest -cne "$($script:Run.State['reads'][$Step['name']])") {
        return "$(@($Step['reads']) -join ', ') was replaced since the service started"
    }
    # kube-proxy also reports that it is healthy if it may not read Services or EndpointSlices, but creates none
    # then.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/healthcheck/proxy_health.go
    if ($Step['policyLists'] -and @(Get-HnsPolicyList -ErrorAction Stop).Count -eq 0) {
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

function Start-NodeDaemon {
    # Restarts a service, so that it creates its state again; files about the previous state are removed first. If
    # the run is aborted here, the service is stopped, and the next run starts it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not $PSCmdlet.ShouldProcess($name, 'restart')) { return }
    Close-NodeService -Name $name
    foreach ($path in @($Step['clears'])) { if ($path) { Clear-NodePath -LiteralPath $path } }
    if ($null -ne $Step['network']) {
        $network = Get-NodeHnsNetwork -Name $Step['network']
        if ($null -eq $network) { throw "HNS network $($Step['network']) not found" }
        $script:Run.State['networks'][$name] = "$($network.ID)"
    }
    if ($null -ne $Step['reads']) { $script:Run.State['reads'][$name] = Get-NodeReadDigest -Step $Step }
    if ($null -ne $Step['network'] -or $null -ne $Step['reads']) { Save-NodeState }
    $script:Run.Started += $name
    Open-NodeService -Name $name -Seconds $Step['timeout']
}
