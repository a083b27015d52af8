# Pods that run: their sandboxes, and their endpoints in HNS.

# A network that goes takes the endpoints along. Neither the CNI plugin, which is called only when a sandbox is made,
# nor containerd, which goes on giving the address, nor the kubelet, which makes another sandbox only if one is not
# ready or has no address, does anything about it: kubernetes, pkg/kubelet/kuberuntime/util/util.go PodSandboxChanged;
# containerd, internal/cri/server/sandbox_status.go; https://github.com/projectcalico/calico/issues/5164

function Add-HostPod {
    # A pod of the node, which runs a moment later.
    param([string] $Name, [switch] $HostNetwork, [string] $Namespace = 'default')

    $pod = @{ metadata = @{ name = $Name; namespace = $Namespace; attempt = 0 }; state = 'SANDBOX_NOTREADY'; Plan = $true; HostNetwork = [bool]$HostNetwork; Address = '' }
    $script:Machine.Pods = @($script:Machine.Pods) + $pod
    Add-HostDue -After 1 -Name 'pod-again' -Subject $Name
}

function Stop-HostSandbox {
    # StopPodSandbox: the endpoint goes, then it is not ready; the kubelet sees that within a second, and makes another.
    param([hashtable] $Pod)

    $id = Get-HostPodId -Pod $Pod
    $script:Machine.Endpoints = @($script:Machine.Endpoints | Where-Object -FilterScript { -not $_.Name.StartsWith("${id}_") })
    $Pod.state = 'SANDBOX_NOTREADY'
    Add-HostDue -After 1 -Name 'pod-again' -Subject $Pod.metadata.name
}

$script:Happening['pod-again'] = {
    # The kubelet makes a sandbox: with the CNI plugin, unless it has the network of the node. The endpoint's name is
    # the id and the network's: containernetworking/plugins, pkg/hns ConstructEndpointName.
    param($Name)
    $pod = $script:Machine.Pods | Where-Object -FilterScript { $_.metadata.name -eq $Name } | Select-Object -First 1
    if ($null -eq $pod -or $pod.state -eq 'SANDBOX_READY') { return }
    $network = $script:Machine.Networks | Where-Object -FilterScript { $_.Type -in 'Overlay', 'L2Bridge' } | Select-Object -First 1
    $conf = @(if (Test-Path -LiteralPath 'C:\etc\cni\net.d') { Get-ChildItem -LiteralPath 'C:\etc\cni\net.d' -Filter '*.conf*' })
    $plugged = $pod.HostNetwork -or ($null -ne $network -and $conf.Count -gt 0)
    if (-not $plugged -or -not $script:Machine.Running.ContainsKey('kubelet') -or -not $script:Machine.Running.ContainsKey('containerd')) {
        return Add-HostDue -After 10 -Name 'pod-again' -Subject $Name
    }
    $pod.metadata.attempt++
    $pod.state = 'SANDBOX_READY'
    if ($pod.HostNetwork) { return }
    $script:Machine.Made++
    $pod.Address = ConvertFrom-HostNumber -Number ((ConvertTo-HostSubnet -Text $network.Subnet).First + 20 + $script:Machine.Made) -Bits 32
    $id = Get-HostPodId -Pod $pod
    $script:Machine.Endpoints += @{
        ID = "endpoint-$id"; Name = "${id}_$($network.Name)"; Type = $network.Type; IPAddress = $pod.Address; VirtualNetwork = $network.ID; VirtualNetworkName = $network.Name; State = 1
    }
}

function Get-HostLostPod {
    # Pods that should have a network, and have none.
    foreach ($pod in @($script:Machine.Pods | Where-Object -FilterScript { $_['Plan'] -and -not $_.HostNetwork })) {
        $id = Get-HostPodId -Pod $pod
        $there = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.Name.StartsWith("${id}_") })
        if ($there.Count -eq 0) { $pod.metadata.name }
    }
}
