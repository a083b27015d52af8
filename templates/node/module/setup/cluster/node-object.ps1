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
    $uri = New-Object -TypeName System.Uri -ArgumentList $Member.Server
    $path = "/api/v1/nodes/$($Member.Name)"
    $answer = Invoke-NodeRequest -Uri $uri -Path $path -Ca $Member.Ca -Pem $Member.Pem
    if ($answer.Own) { $answer = Get-NodeObjectOtherwise -Member $Member -Uri $uri -Path $path -Answer $answer }
    if ($answer.Code -eq 404) {
        $found.Problem = 'the kubelet has not registered its Node yet'
    } elseif ($answer.Code -ne 200) {
        $found.Problem = "cannot read the Node from $($uri.Authority): $(Get-NodeAnswerText -Answer $answer)"
    } else {
        $found.Node = ConvertFrom-NodeJson -Text $answer.Text
    }
    $found
}

function Get-NodeCondition {
    # A condition of a Node by its type, or nothing.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [string] $Type
    )

    foreach ($one in @($Node['status']['conditions'])) {
        if ($null -ne $one -and $one['type'] -ceq $Type) { return $one }
    }
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
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $said = [DateTimeOffset]::Parse($told, $invariant).UtcDateTime
    # The heartbeat time has a resolution of one second.
    if ($said.AddSeconds(1) -ge $script:Run.Since) { return '' }
    "the Node was Ready at $(ConvertTo-NodeTimeText -Time $said); the new kubelet has not updated it yet"
}

function Get-NodeObjectOtherwise {
    # The Node object, read with another account of this machine. That the kubelet's own credentials work is proved
    # by the kubelet, which reports the Ready condition with them.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Member,
        [Parameter(Mandatory = $true)] [System.Uri] $Uri,
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter(Mandatory = $true)] [hashtable] $Answer
    )

    $tokens = @($script:Run.Token)
    foreach ($name in 'flannel', 'kubeProxy') {
        $tokens += (Get-NodeAccount -Need (Get-NodeClusterNeed) -Name $name -Way $Member).Token
    }
    foreach ($token in @($tokens | Where-Object -FilterScript { $_ })) {
        $other = Invoke-NodeRequest -Uri $Uri -Path $Path -Ca $Member.Ca -Token $token
        if ($other.Code -cnotin 200, 404) { continue }
        # The reconcile loop logs nothing if nothing has changed.
        if (-not $script:Run.Quiet) {
            Write-NodeLog -Level warn -Step 'ready' -Message "read with another account: $($Answer.Problem)"
        }
        return $other
    }
    $Answer
}

function Get-NodeAnswerText {
    # An answer of the API server as one line.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Answer)

    if ($Answer.Code -eq 0) { return $Answer.Problem }
    $message = try { (ConvertFrom-NodeJson -Text $Answer.Text)['message'] } catch { '' }
    "$($Answer.Code) $message".Trim()
}
