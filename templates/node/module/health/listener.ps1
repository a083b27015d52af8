# What programs of this machine answer at its own ports.

$script:HealthKind['kubelet'] = @{
    Function = 'Get-NodeKubeletHealth'
    Event    = 101
    Remedy   = 'see whether the services kubelet and containerd run; the kubelet''s log says what it lacks'
}
$script:HealthKind['proxy'] = @{
    Function = 'Get-NodeProxyHealth'
    Event    = 105
    Remedy   = 'kube-proxy''s log says what it waits for; where it ended, the loop starts it anew'
}

function Read-NodeListener {
    # Code and text of what answers at a port of this machine; code 0 with the reason where nothing does.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $Address,
        [Parameter(Mandatory = $true)] [int] $Port,
        [Parameter(Mandatory = $true)] [string] $Path
    )

    $answer = @{ Code = 0; Text = '' }
    $client = $null
    try {
        $name = if ($Address.Contains(':')) { "[$Address]" } else { $Address }
        $uri = New-Object -TypeName System.Uri -ArgumentList "http://${name}:$Port"
        $client = Connect-NodeEndpoint -Uri $uri
        $answer = Read-NodeHttpAnswer -Stream $client.GetStream() -Path $Path -Header "Host: $($uri.Authority)"
    } catch {
        $problem = $_
        $answer.Text = $problem.Exception.GetBaseException().Message
    } finally {
        if ($null -ne $client) { $client.Close() }
    }
    $answer
}

function Get-NodeListenerHealth {
    # What a program says of its health: 200 is well.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $answer = Read-NodeListener -Address $Need['address'] -Port $Need['port'] -Path '/healthz'
    $said = if ($answer.Code -eq 0) { $answer.Text } else { "$($answer.Code) $($answer.Text)".Trim() }
    $evidence = 'http://{0}:{1}/healthz: {2}' -f $Need['address'], $Need['port'], $said
    $verdict = if ($answer.Code -eq 200) { 'ok' } else { 'fail' }
    ConvertTo-NodeVerdict -Verdict $verdict -Evidence $evidence
}

function Get-NodeKubeletHealth {
    # Whether the kubelet has come as far as to answer; it says ok from then on, whatever becomes of its runtime.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/server.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    Get-NodeListenerHealth -Need $Need
}

function Get-NodeProxyHealth {
    # Whether kube-proxy keeps up with what changes. 503 also stands for a Node that is being deleted.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/healthcheck/proxy_health.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = Get-NodeListenerHealth -Need $Need
    if ($found.Evidence -match '"nodeEligible": ?false') {
        $found.Remedy = 'the Node is being deleted, or an autoscaler is about to remove it'
    }
    $found
}
