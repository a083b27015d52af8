# Asks the cluster about this node, with the kubelet's own credentials.

function Read-NodeObject {
    # The Node as the cluster has it, or why it cannot be told. Of all Nodes, the kubelet's credentials may read
    # this one.
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
        $found.Problem = "$($uri.Authority) does not tell about the Node: $(Get-NodeAnswerText -Answer $answer)"
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
    # Why the Node is not Ready, or an empty text.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $found = Read-NodeObject -Member $Member
    if ($found.Problem -ne '') { return $found.Problem }
    $ready = Get-NodeCondition -Node $found.Node -Type 'Ready'
    if ($null -eq $ready) { return 'the Node does not say yet whether it is Ready' }
    if ($ready['status'] -cne 'True') { return "the Node is not Ready: $($ready['message'])" }
    # What an earlier kubelet has said stands for a while; each says it anew when it starts.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_node_status.go
    $told = "$($ready['lastHeartbeatTime'])"
    if ($told -eq '' -or $null -eq $script:Run.Since) { return '' }
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $said = [DateTimeOffset]::Parse($told, $invariant).UtcDateTime
    # It says seconds only.
    if ($said.AddSeconds(1) -ge $script:Run.Since) { return '' }
    "the Node is Ready as of $(ConvertTo-NodeTimeText -Time $said), and its new kubelet has not said so yet"
}

function Get-NodeObjectOtherwise {
    # The Node as another account on this machine may read it: that the kubelet's own credentials serve is then
    # proved by the kubelet itself, which says with them that the Node is Ready.
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
        # The loop says nothing where nothing has changed.
        if (-not $script:Run.Quiet) {
            Write-NodeLog -Level warn -Step 'ready' -Message "asked with another account: $($Answer.Problem)"
        }
        return $other
    }
    $Answer
}

function Get-NodeAnswerText {
    # What an answer of the API server says, in one line.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Answer)

    if ($Answer.Code -eq 0) { return $Answer.Problem }
    $message = try { (ConvertFrom-NodeJson -Text $Answer.Text)['message'] } catch { '' }
    "$($Answer.Code) $message".Trim()
}
