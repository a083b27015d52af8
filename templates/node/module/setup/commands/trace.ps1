# Records what a complete run of the reconcile loop leaves, so that the next runs need only compare.

function Get-NodeTraceName {
    # The names of the traces of this node: what Watch-Node must find unchanged.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $document = $script:Run.Document
    $join = Get-NodeJoinStep
    $kubeconfig = $join['kubeconfig']
    foreach ($file in @(Get-NodeBundleFile)) { "bundle $file" }
    $files = @(Get-NodeProvidedPath) + $kubeconfig + (Get-NodeMembership).PemPath
    $steps = @(Get-NodeLateStep) + @(Get-NodePhaseStep -Phase boot)
    $files += @($steps | Where-Object -FilterScript { $_['kind'] -cin 'file', 'derivedFile' } |
            ForEach-Object -Process { $_['path'] })
    $files += @($steps | ForEach-Object -Process { $_['reads'] })
    foreach ($path in @($files | Where-Object -FilterScript { $_ } | Select-Object -Unique)) { "file $path" }
    $own = @(Get-NodeOwnPath) + $document['paths']['state']
    foreach ($path in @(Get-NodePathTree -LiteralPath $own)) { "access $path" }
    foreach ($step in $document['steps']) {
        switch ($step['kind']) {
            'service' { "service $($step['name'])" }
            { $_ -cin 'hnsNetwork', 'externalNetwork' } { "network $($step['name'])" }
            'route' { "route $($step['prefix'])" }
            'hostEndpoint' { "reserved $($step['id'])" }
            'addressReservation' { "reserved $($step['id'])" }
        }
    }
    foreach ($fact in $document['facts']) { if ($fact['name'] -cne 'nodeName') { "fact $($fact['name'])" } }
    'hostname'
    'hns'
    foreach ($balancer in $script:Run.Balancers) { "balancer $balancer" }
    if (@($steps | Where-Object -FilterScript { $_['policyLists'] }).Count -gt 0) { 'policies' }
}

function Save-NodeTrace {
    # Records the traces of a run that found the node as described and healthy; forgets them after any other run.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [bool] $Well)

    $verdicts = @($script:Run.Checks | ForEach-Object -Process { $_['verdict'] })
    $healthy = $verdicts.Count -gt 0 -and $verdicts -notcontains 'fail' -and $verdicts -notcontains 'unknown'
    $waits = @($script:Run.State['stopped']).Count + @(Get-NodeRestart).Count
    $state = $script:Run.State
    if (-not $Well -or -not $healthy -or $waits -gt 0 -or $script:Run.Doubtful) {
        if ($state['seen'].Count -eq 0) { return }
        $state['seen'] = [ordered]@{}
    } else {
        $form = 'yyyy-MM-ddTHH:mm:ssZ'
        $traces = [ordered]@{}
        $script:Run.Hns = @{}
        foreach ($name in @(Get-NodeTraceName | Select-Object -Unique)) {
            $traces[$name] = Read-NodeTrace -Name $name
        }
        $script:Run.Hns = $null
        $state['seen'] = [ordered]@{
            at     = (Read-NodeClock).ToString($form, $script:Invariant)
            until  = (Get-NodeCertificateMoment).ToString($form, $script:Invariant)
            boot   = Get-NodeBootTime
            traces = $traces
        }
    }
    Save-NodeState
}

function Get-NodeCertificateMoment {
    # When the health of the kubelet's client certificate changes next: when it should have been renewed, or when
    # it expires.
    [CmdletBinding()]
    [OutputType([DateTime])]
    param()

    $member = Get-NodeMembership
    $late = $member.Until.AddSeconds(-0.1 * ($member.Until - $member.From).TotalSeconds)
    if ((Read-NodeClock) -lt $late) { $late } else { $member.Until }
}
