# Publishes the health of the node: a condition and an annotation of its Node, and metrics for windows_exporter.

$script:HealthCondition = 'WinNodeHealthy'
$script:BundleAnnotation = 'winnode/bundle'

function Publish-NodeHealth {
    # Publishes what a complete run of the reconcile loop has found, if node.json asks for it. The node also works
    # if nothing can be published.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Member,
        # Health checks that fail.
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Failed
    )

    if (-not $script:Run.Document['publishStatus']) { return }
    $verdict = Get-NodeSummary -Failed $Failed
    try {
        Write-NodeMetric -Verdict $verdict
        if ($Member.State -ceq 'member') { Publish-NodeCondition -Member $Member -Verdict $verdict }
    } catch {
        $why = $_.Exception.Message
        Write-NodeLog -Level warn -Step '' -Message "the health of the node cannot be published: $why"
    }
}

function Get-NodeSummary {
    # Status, reason and message of the condition, with failed steps first.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Failed)

    $steps = @($script:Run.Steps | Where-Object -FilterScript { $_['state'] -ceq 'Failed' })
    $texts = @($steps | ForEach-Object -Process { "step $($_['id']): $($_['detail'])" })
    $texts += @($Failed | ForEach-Object -Process { "check $($_['id']): $($_['evidence'])" })
    if ($script:Run.Lack -ne '') { $texts += $script:Run.Lack }
    if ($texts.Count -gt 0) {
        $text = Hide-NodeSecret -Text ($texts -join '; ')
        $text = $text.Substring(0, [math]::Min(1000, $text.Length))
        return @{ Status = 'False'; Reason = 'ProblemsFound'; Message = $text }
    }
    $unknown = @($script:Run.Checks | Where-Object -FilterScript { $_['verdict'] -ceq 'unknown' } |
            ForEach-Object -Process { $_['id'] })
    if ($unknown.Count -eq 0) {
        return @{ Status = 'True'; Reason = 'NoProblemFound'; Message = 'all steps and health checks pass' }
    }
    $text = "these checks could not run: $($unknown -join ', ')"
    @{ Status = 'Unknown'; Reason = 'ChecksUnknown'; Message = $text }
}

function Publish-NodeCondition {
    # Writes condition and annotation where they differ, and once an hour.
    # The kubelet may update the status of its Node, but not read it on that path, which kubectl patch does.
    # https://kubernetes.io/docs/reference/access-authn-authz/node/#overview
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Member,
        [Parameter(Mandatory = $true)] [hashtable] $Verdict
    )

    # The kubelet updates its Node, too, and an outdated one is rejected.
    for ($attempt = 1; ; $attempt++) {
        $found = Read-NodeObject -Member $Member
        if ($found.Problem -ne '') { throw $found.Problem }
        if (-not (Set-NodeCondition -Node $found.Node -Verdict $Verdict)) { return }
        $answer = Send-NodeStatus -Member $Member -Node $found.Node
        if ($answer.Problem -eq '') { return }
        if ($answer.Reason -cne 'Conflict' -or $attempt -eq 3) { throw $answer.Problem }
    }
}

function Set-NodeCondition {
    # Sets condition and annotation in a Node that was read. Returns whether it has to be written.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [hashtable] $Verdict
    )

    $clock = Read-NodeClock
    $now = $clock.ToString('yyyy-MM-ddTHH:mm:ssZ', $script:Invariant)
    $digest = "$($script:Run.Document['nodeDigest'])"
    if ($null -eq $Node['metadata']['annotations']) { $Node['metadata']['annotations'] = [ordered]@{} }
    $before = Get-NodeCondition -Node $Node -Type $script:HealthCondition
    $since = $now
    if ($null -ne $before) {
        $same = $before['reason'] -ceq $Verdict.Reason -and $before['message'] -ceq $Verdict.Message
        $isSameBundle = "$($Node['metadata']['annotations'][$script:BundleAnnotation])" -ceq $digest
        $said = [DateTimeOffset]::Parse($before['lastHeartbeatTime'], $script:Invariant).UtcDateTime
        $isFresh = $clock -ge $said -and $clock -lt $said.AddMinutes(60 * $script:CompleteHours)
        if ($same -and $isSameBundle -and $isFresh) { return $false }
        if ($before['status'] -ceq $Verdict.Status) { $since = $before['lastTransitionTime'] }
    }
    if (-not $PSCmdlet.ShouldProcess("Node $($Node['metadata']['name'])", 'set the condition')) { return $false }
    $others = @($Node['status']['conditions'] | Where-Object -FilterScript {
            $null -ne $_ -and $_['type'] -cne $script:HealthCondition
        })
    $condition = [ordered]@{
        type               = $script:HealthCondition
        status             = $Verdict.Status
        reason             = $Verdict.Reason
        message            = $Verdict.Message
        lastHeartbeatTime  = $now
        lastTransitionTime = $since
    }
    $Node['status']['conditions'] = @($others) + $condition
    $Node['metadata']['annotations'][$script:BundleAnnotation] = $digest
    $true
}

function Send-NodeStatus {
    # Replaces the status of the Node, as Invoke-NodeKubectlCommand answers it.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Member,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node
    )

    $file = '{0}\request-{1}.json' -f $script:Run.Document['paths']['state'], $PID
    try {
        Write-NodeText -LiteralPath $file -Text (ConvertTo-NodeJson -InputObject $Node)
        $path = "/api/v1/nodes/$($Member.Name)/status"
        Invoke-NodeKubectlCommand -Kubeconfig $Member.Path -ArgumentList 'replace', '--raw', $path, '-f', $file
    } finally {
        [System.IO.File]::Delete((Resolve-NodePath -LiteralPath $file))
    }
}

function Write-NodeMetric {
    # Writes the metrics in the text format of Prometheus; windows_exporter reads files with the extension prom.
    # https://github.com/prometheus-community/windows_exporter/blob/master/docs/collector.textfile.md
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [hashtable] $Verdict)

    $document = $script:Run.Document
    $folder = '{0}\metrics' -f $document['paths']['state']
    if (-not (Test-Path -LiteralPath $folder)) { $null = New-Item -ItemType Directory -Path $folder }
    $seconds = [math]::Floor(((Read-NodeClock) - [DateTime]'1970-01-01').TotalSeconds)
    $failed = @($script:Run.Steps | Where-Object -FilterScript { $_['state'] -ceq 'Failed' }).Count
    $lines = @(
        '# HELP winnode_healthy Whether all steps and health checks pass: 1 or 0.'
        '# TYPE winnode_healthy gauge'
        "winnode_healthy $([int]($Verdict.Status -ceq 'True'))"
        '# HELP winnode_failed_steps Steps that failed in the last complete run.'
        '# TYPE winnode_failed_steps gauge'
        "winnode_failed_steps $failed"
        '# HELP winnode_check A health check with its verdict: ok, warn, fail or unknown.'
        '# TYPE winnode_check gauge'
        foreach ($check in @($script:Run.Checks)) {
            'winnode_check{{check="{0}",verdict="{1}"}} 1' -f $check['id'], $check['verdict']
        }
        '# HELP winnode_bundle_info The bundle of the node, and the digest of what counts on a node.'
        '# TYPE winnode_bundle_info gauge'
        'winnode_bundle_info{{bundle="{0}",digest="{1}"}} 1' -f $document['name'], $document['nodeDigest']
        '# HELP winnode_run_timestamp_seconds When the last complete run of the reconcile loop ended.'
        '# TYPE winnode_run_timestamp_seconds gauge'
        "winnode_run_timestamp_seconds $seconds"
    )
    Write-NodeText -LiteralPath "$folder\winnode.prom" -Text (($lines -join "`n") + "`n")
}
