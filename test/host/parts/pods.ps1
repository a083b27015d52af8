# Pods that run: their sandboxes, and their endpoints in HNS.

# A network that goes takes the endpoints along. Neither the CNI plugin, which is called only when a sandbox is made,
# nor containerd, which goes on giving the address, nor the kubelet, which makes another sandbox only if one is not
# ready or has no address, does anything about it: kubernetes, pkg/kubelet/kuberuntime/util/util.go PodSandboxChanged;
# containerd, internal/cri/server/sandbox_status.go; https://github.com/projectcalico/calico/issues/5164

function Add-HostPod {
    # A pod of the node, which runs a moment later.
    param([string] $Name, [switch] $HostNetwork, [string] $Namespace = 'default')

    $pod = @{ metadata = @{ name = $Name; namespace = $Namespace; attempt = 0 }; state = 'SANDBOX_NOTREADY'; Plan = $true; HostNetwork = [bool]$HostNetwork; Address = '' }
    # As the controller of DaemonSets sets it.
    if ($HostNetwork) { $pod.labels = @{ 'pod-template-generation' = '1' } }
    $script:Machine.Pods = @($script:Machine.Pods) + $pod
    Add-HostDue -After 1 -Name 'pod-again' -Subject $Name
}

function Test-HostPod {
    param([string] $Name)

    @($script:Machine.Pods | Where-Object -FilterScript { $_.metadata.name -eq $Name }).Count -gt 0
}

function Test-HostPodEndpoint {
    # Whether an endpoint is a pod's: by its name, which Antrea makes of the pod's. antrea-io/antrea at v2.7.0,
    # pkg/agent/cniserver/interface_configuration_windows.go
    param([System.Collections.IDictionary] $Endpoint, [string] $Id, [System.Collections.IDictionary] $Pod)

    $Endpoint.Name.StartsWith("${Id}_") -or $Endpoint.Name -eq "$($Pod.metadata.name)-$($Id.Substring(0, 6))"
}

function Stop-HostSandbox {
    # StopPodSandbox: the endpoint goes, then it is not ready; the kubelet sees that within a second, and makes another.
    param([hashtable] $Pod)

    $id = Get-HostPodId -Pod $Pod
    $script:Machine.Endpoints = @($script:Machine.Endpoints | Where-Object -FilterScript { -not (Test-HostPodEndpoint -Endpoint $_ -Id $id -Pod $Pod) })
    $Pod.state = 'SANDBOX_NOTREADY'
    Set-HostPodService
    Add-HostDue -After 1 -Name 'pod-again' -Subject $Pod.metadata.name
}

$script:Happening['pod-again'] = {
    # The kubelet makes a sandbox: with the CNI plugin, unless it has the network of the node. The endpoint's name is
    # the id and the network's: containernetworking/plugins, pkg/hns ConstructEndpointName. Its sandbox and its containers
    # share it: state AttachedSharing, hcsshim, internal/hns/hnsendpoint.go.
    param($Name)
    $pod = $script:Machine.Pods | Where-Object -FilterScript { $_.metadata.name -eq $Name } | Select-Object -First 1
    if ($null -eq $pod -or $pod.state -eq 'SANDBOX_READY') { return }
    if (-not $pod.HostNetwork) { Add-HostCalicoNetwork }
    $network = $script:Machine.Networks | Where-Object -FilterScript { $_.Type -in 'Overlay', 'L2Bridge', 'Transparent' -and $_.Name -ne 'External' } | Select-Object -First 1
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
        ID = "endpoint-$id"; Name = $(if ($network.Type -eq 'Transparent') { "$Name-$($id.Substring(0, 6))" } else { "${id}_$($network.Name)" }); Type = $network.Type; IPAddress = $pod.Address; VirtualNetwork = $network.ID; VirtualNetworkName = $network.Name; State = 3
    }
    Set-HostPodService
}

function Remove-HostPod {
    # kubectl drain: all pods go, except pods of DaemonSets.
    foreach ($pod in @($script:Machine.Pods | Where-Object -FilterScript { $_['Plan'] -and -not $_['labels'] })) {
        Stop-HostSandbox -Pod $pod
        $script:Machine.Pods = @($script:Machine.Pods | Where-Object -FilterScript { -not [object]::ReferenceEquals($_, $pod) })
    }
    Set-HostPodService
}

function Set-HostPodService {
    # The Service of the pods, where there is one: its EndpointSlice follows the pods that are ready.
    if (-not $script:Machine.Cluster.Objects.ContainsKey('/api/v1/namespaces/default/services/web')) { return }
    $ready = @($script:Machine.Pods | Where-Object -FilterScript { $_['Plan'] -and -not $_.HostNetwork -and $_.state -eq 'SANDBOX_READY' })
    Add-HostService -Name 'default/web' -Address '10.96.0.80' -Port @{ name = 'http'; port = 80; target = 8080; protocol = 'TCP' } -Behind @($ready | ForEach-Object -Process { $_.Address })
}

function Get-HostLostPod {
    # Pods that should have a network, and have none.
    foreach ($pod in @($script:Machine.Pods | Where-Object -FilterScript { $_['Plan'] -and -not $_.HostNetwork })) {
        $id = Get-HostPodId -Pod $pod
        $there = @($script:Machine.Endpoints | Where-Object -FilterScript { Test-HostPodEndpoint -Endpoint $_ -Id $id -Pod $pod })
        if ($there.Count -eq 0) { $pod.metadata.name }
    }
}

function Get-HostLack {
    # What pods and Services lack: each pod that runs has an endpoint on the present network, each load balancer has the
    # present endpoint of each address behind it, and kubelet and kube-proxy have the address and the access that they need.
    param([switch] $Balanced)

    $machine = $script:Machine
    $networks = @($machine.Networks | ForEach-Object -Process { $_.ID })
    $endpoints = @($machine.Endpoints | Where-Object -FilterScript { $networks -contains $_.VirtualNetwork })
    foreach ($pod in @($machine.Pods | Where-Object -FilterScript { $_['Plan'] })) {
        if ($pod.state -ne 'SANDBOX_READY') { "the pod $($pod.metadata.name) does not run"; continue }
        $id = Get-HostPodId -Pod $pod
        $own = @($endpoints | Where-Object -FilterScript { (Test-HostPodEndpoint -Endpoint $_ -Id $id -Pod $pod) -and $_.IPAddress -eq $pod.Address })
        if (-not $pod.HostNetwork -and $own.Count -eq 0) { "the pod $($pod.metadata.name) has no network" }
    }
    $command = Get-HostServiceValue -Name 'kubelet' -Value 'ImagePath'
    if ($command -notmatch "--node-ip=$([regex]::Escape($machine.Address))[`" ]*( |`$)") { "the kubelet's address is not $($machine.Address): $command" }
    if (-not $Balanced) { return }
    $plan = $machine.Proxy
    if ($null -eq $plan -or -not (Test-HostProxy -Plan $plan) -or -not (Test-HostProxyReads -Plan $plan)) { 'kube-proxy does not work' }
    foreach ($rule in @(Get-HostServiceRule)) {
        $id = "list-$($rule.Vip)-$($rule.Port)-$($rule.Protocol)"
        $lists = @($machine.PolicyLists | Where-Object -FilterScript { $_.ID -eq $id })
        $to = @($endpoints | Where-Object -FilterScript { $lists.Count -gt 0 -and $lists[0].References -contains "/endpoints/$($_.ID)" } | ForEach-Object -Process { $_.IPAddress })
        if (Compare-Object -ReferenceObject @($rule.Behind) -DifferenceObject $to) { "$($rule.Vip):$($rule.Port) $($rule.Protocol) leads to $to, not to $($rule.Behind)" }
    }
}
