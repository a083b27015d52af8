# Queries containerd through crictl.

$script:RuntimeEndpoint = 'npipe:////./pipe/containerd-containerd'

function Invoke-NodeCrictl {
    # Queries containerd through its pipe, whatever this user's crictl.yaml contains; returns the output as one
    # text.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Program,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList,
        [Parameter()] [int] $Seconds = $script:Limit.RuntimeSeconds
    )

    $arguments = @('--runtime-endpoint', $script:RuntimeEndpoint, '--image-endpoint', $script:RuntimeEndpoint)
    # For each request of the call; its default is 2 s, in which Windows may not stop a container.
    # https://github.com/kubernetes-sigs/cri-tools/blob/master/cmd/crictl/main.go
    $arguments += '--timeout', "$($script:Limit.RuntimeSeconds)s"
    Read-NodeUnicode -FilePath $Program -ArgumentList ($arguments + $ArgumentList) -Seconds $Seconds
}

function Get-NodeReadySandbox {
    # The ready sandboxes of pods, as crictl lists them.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $crictl = Find-NodeProgram -Name 'crictl.exe'
    if ($crictl -eq '' -or -not (Test-Path -LiteralPath $crictl)) { return }
    if (-not (Test-NodeServiceActive -Name 'containerd')) { return }
    $text = Invoke-NodeCrictl -Program $crictl -ArgumentList 'pods', '--state', 'ready', '-o', 'json'
    (ConvertFrom-NodeJson -Text $text)['items']
}

function Get-NodeWorkload {
    # Names of the running pods: all of them, or those that are not of a DaemonSet. Only the DaemonSet controller
    # sets this label: https://kubernetes.io/docs/reference/labels-annotations-taints/
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter()] [switch] $All)

    foreach ($pod in @(Get-NodeReadySandbox)) {
        $labels = $pod['labels']
        if (-not $All -and $null -ne $labels -and $labels.Contains('pod-template-generation')) { continue }
        Get-NodePodName -Pod $pod
    }
}

function Get-NodePodName {
    # The namespace and name of a pod.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Pod)

    '{0}/{1}' -f $Pod['metadata']['namespace'], $Pod['metadata']['name']
}

function Get-NodeSandboxAddress {
    # The address of a pod, or an empty string: for a pod with the node's network, such as a HostProcess pod, and
    # for one that was removed since.
    # https://github.com/containerd/containerd/blob/main/internal/cri/server/sandbox_status.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Pod)

    $crictl = Find-NodeProgram -Name 'crictl.exe'
    try {
        $text = Invoke-NodeCrictl -Program $crictl -ArgumentList 'inspectp', '-o', 'json', $Pod['id']
        "$((ConvertFrom-NodeJson -Text $text)['status']['network']['ip'])"
    } catch {
        Write-Verbose -Message $_.Exception.Message
        ''
    }
}

function Get-NodeLostSandbox {
    # Ready sandboxes without an HNS endpoint: their network was recreated. The runtime still reports an address,
    # so the kubelet does not notice. CNI plugins name an endpoint SANDBOX_NETWORK.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kuberuntime/util/util.go
    # https://github.com/containernetworking/plugins/tree/main/pkg/hns
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $pods = @(Get-NodeReadySandbox)
    if ($pods.Count -eq 0) { return }
    $fields = 'IsRemoteEndpoint', 'Name', 'IPAddress'
    $local = @(Get-NodeHnsObject -Kind Endpoint | Select-Object -Property $fields |
            Where-Object -FilterScript { -not $_.IsRemoteEndpoint })
    $owners = @($local | ForEach-Object -Process { "$($_.Name)".Split('_')[0] })
    $addresses = @($local | ForEach-Object -Process { "$($_.IPAddress)" })
    foreach ($pod in $pods) {
        if ($owners -ccontains $pod['id']) { continue }
        $address = Get-NodeSandboxAddress -Pod $pod
        if ($address -ne '' -and $addresses -cnotcontains $address) { $pod }
    }
}
