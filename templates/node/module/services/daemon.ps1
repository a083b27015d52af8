# Daemons that make their state only at their own start: node.json says what each makes, takes and leaves behind.

function Get-NodeDaemonStep {
    # The step that lets a service run, with what node.json says of it.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'serviceRunning' -and $step['name'] -ceq $Name) { return $step }
    }
    throw "node.json does not say how $Name runs"
}

function Get-NodeDaemonLack {
    # Why a service that runs must start anew, or an empty text: what it took at its start was made anew since, or
    # what it made then is gone.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($null -ne $Step['network']) {
        $network = Get-NodeHnsNetwork -Name $Step['network']
        if ($null -eq $network) { return "there is no HNS network $($Step['network'])" }
        if ("$($network.ID)" -cne "$($script:Run.State['networks'][$Step['name']])") {
            return "the HNS network $($Step['network']) was made anew since it started"
        }
    }
    # One that is missing is told of elsewhere, and what runs goes on without it.
    $digest = Get-NodeReadDigest -Step $Step
    if ($digest -ne '' -and $digest -cne "$($script:Run.State['reads'][$Step['name']])") {
        return "$(@($Step['reads']) -join ', ') was replaced since it started"
    }
    # It also says that it is healthy where it may not read Services or EndpointSlices, and makes none then.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/healthcheck/proxy_health.go
    if ($Step['policyLists'] -and @(Get-HnsPolicyList -ErrorAction Stop).Count -eq 0) {
        return 'it runs, and HNS has no load balancer of it: ' +
        'its log says whether it may read Services and EndpointSlices'
    }
    ''
}

function Get-NodeReadDigest {
    # What the files are now that it read at its start: a token in a kubeconfig is not read again.
    # https://github.com/kubernetes/client-go/blob/master/transport/token_source.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    "$(@($Step['reads'] | Where-Object -FilterScript { $_ } | ForEach-Object -Process {
                Get-NodeDigest -LiteralPath $_
            }))".Trim()
}

function Start-NodeDaemon {
    # Starts a service anew, so that it makes its state again. What speaks of an earlier one goes first. A run that
    # is cut off here leaves a service that does not run: the next one starts it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not $PSCmdlet.ShouldProcess($name, 'start anew')) { return }
    Close-NodeService -Name $name
    foreach ($path in @($Step['clears'])) { if ($path) { Clear-NodePath -LiteralPath $path } }
    if ($null -ne $Step['network']) {
        $network = Get-NodeHnsNetwork -Name $Step['network']
        if ($null -eq $network) { throw "there is no HNS network $($Step['network'])" }
        $script:Run.State['networks'][$name] = "$($network.ID)"
    }
    if ($null -ne $Step['reads']) { $script:Run.State['reads'][$name] = Get-NodeReadDigest -Step $Step }
    if ($null -ne $Step['network'] -or $null -ne $Step['reads']) { Save-NodeState }
    $script:Run.Started += $name
    Open-NodeService -Name $name -Seconds $Step['timeout']
}
