# Waits until the Node is Ready.

function Wait-NodeReady {
    # Queries the cluster with the node's credentials until its Node is Ready; at the deadline, records what is
    # missing.
    [CmdletBinding()]
    param()

    if ($null -eq (Get-NodeJoinStep)) { return }
    $told = ''
    while ($true) {
        $member = Get-NodeMembership
        $lack = Get-NodeReadiness -Member $member
        if ($lack -eq '') { $lack = Get-NodeKubeletLack -Member $member }
        if ($lack -eq '') {
            Write-NodeLine -Text 'The Node is Ready.'
            return
        }
        if (Test-NodeNetworkPending -Lack $lack) {
            $text = 'The Node is registered. It becomes Ready when the network plugin''s DaemonSet has created the'
            Write-NodeLine -Text "$text network: kubectl get pods -A -o wide"
            return
        }
        if ((Read-NodeClock) -ge $script:Run.Deadline) { break }
        if ($lack -cne $told) { Write-NodeRow -Place '' -State 'waiting' -Id 'ready' -Text $lack }
        $told = $lack
        $null = Read-NodeClock -After 5
    }
    $script:Run.Lack = $lack
    $script:Run.Message = "the machine has joined, but $lack"
    Write-NodeLog -Level fail -Step 'ready' -Message $lack
}

function Test-NodeNetworkPending {
    # Whether the Node lacks only the network, which a DaemonSet creates after the join: pulling its images can
    # take longer than a join should.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/runtime.go
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Lack)

    foreach ($check in $script:Run.Document['health']) {
        if ($check['kind'] -cne 'sandboxes') { continue }
        $need = ConvertTo-NodeMap -Pair $check['with']
        return $need['byDaemonSet'] -and $Lack -clike '*not Ready: container runtime network not ready*'
    }
    $false
}

function Get-NodeKubeletLack {
    # Why the kubelet is not healthy although its Node is Ready: the condition may be of an earlier kubelet, which
    # Install has just replaced.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    foreach ($check in $script:Run.Document['health']) {
        if ($check['kind'] -cnotin 'kubelet', 'node') { continue }
        $need = ConvertTo-NodeMap -Pair $check['with']
        if ($check['kind'] -ceq 'kubelet') {
            $found = Get-NodeListenerHealth -Need $need
            if ($found.Verdict -cne 'ok') { return "the kubelet does not answer yet: $($found.Evidence)" }
        } else {
            $found = Read-NodeObject -Member $Member
            if ($found.Problem -ne '') { return $found.Problem }
            $other = Get-NodeOtherKubelet -Node $found.Node -Version $need['kubelet']
            if ($other -ne '') { return $other }
            $other = Get-NodeOtherSubnet -Node $found.Node
            if ($other -ne '') { return $other }
        }
    }
    ''
}
