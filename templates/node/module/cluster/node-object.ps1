# Asks the cluster about this node, with the kubelet's own credentials.

function Get-NodeReadiness {
    # Why the Node is not Ready, or an empty text. Of all Nodes, these credentials may read this one.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    if ($Member.State -ne 'member') { return $Member.Text }
    $uri = New-Object -TypeName System.Uri -ArgumentList $Member.Server
    $path = "/api/v1/nodes/$($Member.Name)"
    $answer = Invoke-NodeRequest -Uri $uri -Path $path -Ca $Member.Ca -Pem $Member.Pem
    if ($answer.Own) { $answer = Get-NodeObjectOtherwise -Member $Member -Uri $uri -Path $path -Answer $answer }
    if ($answer.Code -eq 404) { return 'the kubelet has not registered its Node yet' }
    if ($answer.Code -ne 200) {
        return "$($uri.Authority) does not tell about the Node: $(Get-NodeAnswerText -Answer $answer)"
    }
    $node = ConvertFrom-NodeJson -Text $answer.Text
    $conditions = @($node['status']['conditions'] | Where-Object -FilterScript {
            $null -ne $_ -and $_['type'] -ceq 'Ready'
        })
    if ($conditions.Count -eq 0) { return 'the Node does not say yet whether it is Ready' }
    if ($conditions[0]['status'] -cne 'True') { return "the Node is not Ready: $($conditions[0]['message'])" }
    # What an earlier kubelet has said stands for a while; each says it anew when it starts.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_node_status.go
    $told = "$($conditions[0]['lastHeartbeatTime'])"
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
        Write-NodeLog -Level warn -Step 'ready' -Message "asked with another account: $($Answer.Problem)"
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
