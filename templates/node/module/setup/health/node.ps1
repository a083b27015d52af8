# Checks the Node object, and the clock.

$script:HealthKind['node'] = @{
    Function = 'Get-NodeObjectHealth'
    Event    = 103
    Remedy   = 'see kubectl describe node and the kubelet''s log'
}
$script:HealthKind['clock'] = @{
    Function = 'Get-NodeClockHealth'
    Event    = 108
    Remedy   = 'set the clock, and check that the machine reaches its time servers: w32tm /query /status'
}

# Conditions of a Node that are healthy unless they are True.
$script:NodePressure = 'MemoryPressure', 'DiskPressure', 'PIDPressure'

# Prevents scheduling until the cloud controller manager has found the machine.
# https://kubernetes.io/docs/reference/labels-annotations-taints/
$script:Uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized'

function Get-NodeObjectHealth {
    # Whether the Node is Ready, and as the bundle expects it. Labels and taints are set only when the kubelet
    # registers the Node; later they are managed in the cluster.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = Read-NodeObject -Member (Get-NodeMembership)
    if ($found.Problem -ne '') { return ConvertTo-NodeVerdict -Verdict fail -Evidence $found.Problem }
    $node = $found.Node
    $ready = Get-NodeCondition -Node $node -Type 'Ready'
    if ($null -eq $ready -or $ready['status'] -cne 'True') {
        $why = if ($null -eq $ready) { 'no Ready condition yet' } else { $ready['message'] }
        return ConvertTo-NodeVerdict -Verdict fail -Evidence "the Node is not Ready: $why"
    }
    $bad = @(Get-NodeObjectFault -Node $node -Need $Need)
    if ($bad.Count -gt 0) { return ConvertTo-NodeVerdict -Verdict fail -Evidence ($bad -join '; ') }
    $odd = @(Get-NodeObjectDifference -Node $node -Need $Need)
    if ($odd.Count -gt 0) {
        $remedy = 'unless intended: kubectl label, kubectl taint, kubectl uncordon'
        return ConvertTo-NodeVerdict -Verdict warn -Evidence "Ready, but $($odd -join '; ')" -Remedy $remedy
    }
    $version = $node['status']['nodeInfo']['kubeletVersion']
    ConvertTo-NodeVerdict -Verdict ok -Evidence "$($node['metadata']['name']) is Ready, kubelet $version"
}

function Get-NodeObjectFault {
    # Why a Ready Node gets no pods, or does not match the machine.
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
    $subnet = Get-NodeOtherSubnet -Node $Node
    if ($subnet -ne '') { $subnet }
    foreach ($taint in $Node['spec']['taints']) {
        if ($taint['key'] -ceq $script:Uninitialized) {
            'the cloud controller manager has not initialized the Node yet'
        }
    }
}

function Get-NodeOtherKubelet {
    # A difference between the reported and the expected kubelet version, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [string] $Version
    )

    $runs = "$($Node['status']['nodeInfo']['kubeletVersion'])"
    # Vendors add a suffix after a dash or a plus.
    if ($runs -cmatch ('^v{0}($|[-+])' -f [regex]::Escape($Version))) { return '' }
    "the running kubelet is $runs, expected ${Version}: restart its service"
}

function Get-NodeOtherSubnet {
    # A difference between the pod CIDR of the Node and the subnet of its HNS network, or an empty string. A Node
    # that was deleted gets another pod CIDR, and a plugin keeps the network that exists; the loop adapts a bridge.
    # https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/agent/agent_windows.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node)

    $name = (ConvertTo-NodeMap -Pair (Get-NodeFactEntry -Name 'podSubnet')['with'])['network']
    $bridges = @($script:Run.Document['steps'] | Where-Object -FilterScript { $null -ne $_['hnsModule'] })
    $assigned = Get-NodeAssignedSubnet -Node $Node
    if ($null -eq $name -or $bridges.Count -gt 0 -or $assigned -eq '') { return '' }
    if ($null -eq (Get-NodeHnsNetwork -Name $name)) { return '' }
    $has = Get-NodeFact -Name 'podSubnet'
    if ($has -ceq $assigned) { return '' }
    "the Node has the pod CIDR $assigned, and the HNS network $name ${has}: " +
    'run Reset-WinNode.ps1, Install-WinNode.ps1 and Join-WinNode.ps1'
}

function Get-NodeObjectDifference {
    # Differences between a Node and what the kubelet registered.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need
    )

    $labels = $Node['metadata']['labels']
    $here = @(if ($null -ne $labels) { foreach ($key in $labels.Keys) { "$key=$($labels[$key])" } })
    foreach ($label in @($Need['labels'])) {
        if ($here -cnotcontains $label) { "label $label is missing" }
    }
    $taints = @(foreach ($taint in $Node['spec']['taints']) {
            '{0}={1}:{2}' -f $taint['key'], $taint['value'], $taint['effect']
        })
    foreach ($taint in @($Need['taints'])) {
        if ($taints -cnotcontains $taint) { "taint $taint is missing" }
    }
    if ($Node['spec']['unschedulable']) { 'cordoned' }
    # No fault of the machine: nothing on the node can clear what a controller of the cloud has set.
    # https://github.com/kubernetes/cloud-provider/blob/master/controllers/route/route_controller.go
    $network = Get-NodeCondition -Node $Node -Type 'NetworkUnavailable'
    if ($null -ne $network -and $network['status'] -ceq 'True') {
        "NetworkUnavailable ($($network['reason']): $($network['message'])), which keeps pods away until the " +
        'network plugin or the route controller of the cloud, whichever set it, clears it'
    }
    $address = Get-NodeFact -Name 'nodeIP'
    $known = @(foreach ($one in $Node['status']['addresses']) { $one['address'] })
    if ($known -cnotcontains $address) { "addresses are $($known -join ', '), expected $address" }
}

function Get-NodeClockHealth {
    # Whether the clock agrees with the API server's: certificates and tokens depend on it.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $server = (Get-NodeMembership).Server
    if ($server -eq '') {
        return ConvertTo-NodeVerdict -Verdict unknown -Evidence 'no API server to compare the clock with'
    }
    $uri = New-Object -TypeName System.Uri -ArgumentList $server
    $skew = [math]::Round([math]::Abs(((Read-NodeClock) - (Get-NodeServerTime -Uri $uri)).TotalSeconds))
    $verdict = if ($skew -le $Need['seconds']) { 'ok' } else { 'fail' }
    $evidence = "$skew s off the API server, at most $($Need['seconds']) s are allowed"
    ConvertTo-NodeVerdict -Verdict $verdict -Evidence $evidence
}
