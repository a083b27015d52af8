# Checks the healthz endpoints of programs on this machine.

# The kubelet reports ok once it has started, even if its container runtime fails.
# https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/server.go
$script:HealthKind['kubelet'] = @{
    Function = 'Get-NodeListenerHealth'
    Event    = 101
    Remedy   = 'check that the services kubelet and containerd run, and see the kubelet''s log'
}
$script:HealthKind['proxy'] = @{
    Function = 'Get-NodeProxyHealth'
    Event    = 105
    Remedy   = 'see kube-proxy''s log; if it has exited, the reconcile loop restarts it'
}

function Read-NodeListener {
    # Code and text of the answer at a local port, which is plain HTTP; code 0 with the reason if there is none.
    # The address is that of a URL: IPv6 is in brackets.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $Address,
        [Parameter(Mandatory = $true)] [int] $Port,
        [Parameter(Mandatory = $true)] [string] $Path
    )

    $request = [System.Net.WebRequest]::Create("http://${Address}:$Port$Path")
    $request.Proxy = $null
    $request.Timeout = 10000
    $request.ReadWriteTimeout = 10000
    try {
        try { $response = $request.GetResponse() } catch [System.Net.WebException] {
            # An answer with another code than 200 is an exception, too.
            $response = $_.Exception.Response
            if ($null -eq $response) { throw }
        }
        $reader = New-Object -TypeName System.IO.StreamReader -ArgumentList $response.GetResponseStream()
        @{ Code = [int]$response.StatusCode; Text = $reader.ReadToEnd() }
        $response.Close()
    } catch {
        @{ Code = 0; Text = $_.Exception.GetBaseException().Message }
    }
}

function Get-NodeListenerHealth {
    # The health that a program reports: 200 is healthy.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $address = if ($Need['address'].Contains(':')) { "[$($Need['address'])]" } else { $Need['address'] }
    $answer = Read-NodeListener -Address $address -Port $Need['port'] -Path '/healthz'
    $said = if ($answer.Code -eq 0) { $answer.Text } else { "$($answer.Code) $($answer.Text)".Trim() }
    $evidence = 'http://{0}:{1}/healthz: {2}' -f $address, $Need['port'], $said
    $verdict = if ($answer.Code -eq 200) { 'ok' } else { 'fail' }
    ConvertTo-NodeVerdict -Verdict $verdict -Evidence $evidence
}

function Get-NodeProxyHealth {
    # Whether kube-proxy keeps up with changes. It also returns 503 for a Node that is being deleted.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/healthcheck/proxy_health.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = Get-NodeListenerHealth -Need $Need
    if ($Need['byDaemonSet']) {
        $found.Remedy = 'see its pod: kubectl -n kube-system get pods -o wide; the kubelet starts it again'
    }
    $network = $Need['network']
    if ($found.Verdict -cne 'ok' -and $network -cne '' -and $null -eq (Get-NodeHnsNetwork -Name $network)) {
        # It opens no port before it has found its network.
        # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go
        $found.Evidence += "; kube-proxy waits for the HNS network $network"
        $found.Remedy = 'kube-proxy goes on once the network exists: see the check network'
    }
    if ($found.Evidence -match '"nodeEligible": ?false') {
        $found.Remedy = 'the Node is being deleted, or an autoscaler is about to remove it'
    }
    $found
}
