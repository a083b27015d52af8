# Reads the Node object of this node with the kubelet's credentials.

function Read-NodeObject {
    # The Node object, or why it cannot be read. The kubelet's credentials may read this Node only.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $found = @{ Node = $null; Problem = '' }
    if ($Member.State -ne 'member') {
        $found.Problem = $Member.Text
        return $found
    }
    $answer = Invoke-NodeKubectl -Kubeconfig $Member.Path -Path "/api/v1/nodes/$($Member.Name)"
    if ($answer.Reason -ceq 'NotFound') {
        $found.Problem = 'the kubelet has not registered its Node yet'
    } elseif ($answer.Problem -ne '') {
        $found.Problem = "cannot read the Node from $($Member.Server): $($answer.Problem)"
    } else {
        $found.Node = ConvertFrom-NodeJson -Text $answer.Text
    }
    $found
}

function Get-NodeReadiness {
    # Why the Node is not Ready, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $found = Read-NodeObject -Member $Member
    if ($found.Problem -ne '') { return $found.Problem }
    $ready = Get-NodeCondition -Node $found.Node -Type 'Ready'
    if ($null -eq $ready) { return 'the Node has no Ready condition yet' }
    if ($ready['status'] -cne 'True') { return "the Node is not Ready: $($ready['message'])" }
    # The status of an earlier kubelet remains for a while; each kubelet updates it when it starts.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_node_status.go
    $told = "$($ready['lastHeartbeatTime'])"
    if ($told -eq '' -or $null -eq $script:Run.Since) { return '' }
    $said = [DateTimeOffset]::Parse($told, $script:Invariant).UtcDateTime
    # The heartbeat time has a resolution of one second.
    if ($said.AddSeconds(1) -ge $script:Run.Since) { return '' }
    "the Node was Ready at $(ConvertTo-NodeTimeText -Time $said); the new kubelet has not updated it yet"
}
