# The Node as the cluster has it, and the clock by which the cluster lives.

$script:HealthKind['node'] = @{
    Function = 'Get-NodeObjectHealth'
    Event    = 103
    Remedy   = 'kubectl describe node says more; the kubelet''s log says what it lacks'
}
$script:HealthKind['clock'] = @{
    Function = 'Get-NodeClockHealth'
    Event    = 108
    Remedy   = 'set the clock, and see that the machine reaches its time servers: w32tm /query /status'
}

# Conditions of a Node that are well where they are not True.
$script:NodePressure = 'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'

# Keeps all pods away until a cloud's controller has found the machine.
# https://kubernetes.io/docs/reference/labels-annotations-taints/
$script:Uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized'

function Get-NodeObjectHealth {
    # Whether the Node is Ready, and as the bundle wants it. Labels and taints are given once, when the kubelet
    # registers it; later they are the cluster's.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $step = Get-NodeJoinStep
    if ($null -eq $step) { return ConvertTo-NodeVerdict -Verdict unknown -Evidence 'this bundle joins nothing' }
    $found = Read-NodeObject -Member (Get-NodeMember -Step $step)
    if ($found.Problem -ne '') { return ConvertTo-NodeVerdict -Verdict fail -Evidence $found.Problem }
    $node = $found.Node
    $ready = Get-NodeCondition -Node $node -Type 'Ready'
    if ($null -eq $ready -or $ready['status'] -cne 'True') {
        $why = if ($null -eq $ready) { 'it does not say so yet' } else { $ready['message'] }
        return ConvertTo-NodeVerdict -Verdict fail -Evidence "the Node is not Ready: $why"
    }
    $bad = @(Get-NodeObjectFault -Node $node -Need $Need)
    if ($bad.Count -gt 0) { return ConvertTo-NodeVerdict -Verdict fail -Evidence ($bad -join '; ') }
    $odd = @(Get-NodeObjectOddity -Node $node -Need $Need)
    if ($odd.Count -gt 0) {
        $remedy = 'where this is not meant: kubectl label, kubectl taint, kubectl uncordon'
        return ConvertTo-NodeVerdict -Verdict warn -Evidence "Ready, but $($odd -join '; ')" -Remedy $remedy
    }
    $version = $node['status']['nodeInfo']['kubeletVersion']
    ConvertTo-NodeVerdict -Verdict ok -Evidence "$($node['metadata']['name']) is Ready, kubelet $version"
}

function Get-NodeObjectFault {
    # Why a Ready Node still takes no pods, or is not the machine's as it should be.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need
    )

    foreach ($type in $script:NodePressure) {
        $condition = Get-NodeCondition -Node $Node -Type $type
        if ($null -ne $condition -and $condition['status'] -ceq 'True') { "${type}: $($condition['message'])" }
    }
    $other = Get-NodeOtherKubelet -Node $Node -Version $Need['kubelet']
    if ($other -ne '') { $other }
    foreach ($taint in @($Node['spec']['taints'])) {
        if ($null -ne $taint -and $taint['key'] -ceq $script:Uninitialized) {
            'the controller of the cloud has not found this machine yet'
        }
    }
}

function Get-NodeOtherKubelet {
    # Which other kubelet the Node says that it runs, or an empty text.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [string] $Version
    )

    $runs = "$($Node['status']['nodeInfo']['kubeletVersion'])"
    # What builds of others add stands behind a dash or a plus.
    if ($runs -cmatch ('^v{0}($|[-+])' -f [regex]::Escape($Version))) { return '' }
    "the kubelet that runs is $runs, wanted ${Version}: restart its service"
}

function Get-NodeObjectOddity {
    # What of a Node is not as the kubelet registered it.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need
    )

    $labels = $Node['metadata']['labels']
    $here = @(if ($null -ne $labels) { foreach ($key in $labels.Keys) { "$key=$($labels[$key])" } })
    foreach ($label in @($Need['labels'])) {
        if ($here -cnotcontains $label) { "it has no label $label" }
    }
    $taints = @(foreach ($taint in @($Node['spec']['taints'])) {
            if ($null -ne $taint) { '{0}={1}:{2}' -f $taint['key'], $taint['value'], $taint['effect'] }
        })
    foreach ($taint in @($Need['taints'])) {
        if ($taints -cnotcontains $taint) { "it has no taint $taint" }
    }
    if ($Node['spec']['unschedulable']) { 'it is cordoned' }
    $address = Get-NodeFact -Name 'nodeIP'
    $known = @(foreach ($one in @($Node['status']['addresses'])) { if ($null -ne $one) { $one['address'] } })
    if ($known -cnotcontains $address) { "its addresses are $($known -join ', '), the machine has $address" }
}

function Get-NodeClockHealth {
    # Whether the clock agrees with the API server's: certificates and tokens depend on it.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $step = Get-NodeJoinStep
    $server = if ($null -ne $step) { (Get-NodeMember -Step $step).Server } else { '' }
    if ($server -eq '') {
        return ConvertTo-NodeVerdict -Verdict unknown -Evidence 'no server is known to compare the clock with'
    }
    $uri = New-Object -TypeName System.Uri -ArgumentList $server
    $skew = [math]::Round([math]::Abs(((Read-NodeClock) - (Get-NodeServerTime -Uri $uri)).TotalSeconds))
    $verdict = if ($skew -le $Need['seconds']) { 'ok' } else { 'fail' }
    $evidence = "$skew s off the API server, at most $($Need['seconds']) are fine"
    ConvertTo-NodeVerdict -Verdict $verdict -Evidence $evidence
}
