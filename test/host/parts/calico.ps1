# Calico's DaemonSet: what it leaves on the machine, in the order of its containers.

# The operator's folders: tigera/operator, pkg/render/windows.go DefaultWindowsCNIDirectories.
$script:CalicoConf = 'C:\etc\cni\net.d\10-calico.conflist'
$script:CalicoKubeconfig = 'C:\etc\cni\net.d\calico-kubeconfig'
$script:CalicoNodeName = 'C:\var\run\calico\nodename'

function Start-HostCalico {
    # The kubelet starts the pod once in each start of the machine: it has the network of the node, and needs no conf.
    $made = $script:Machine.DaemonSet
    if ($made['Boot'] -eq $script:Machine.Boot) { return }
    $made['Boot'] = $script:Machine.Boot
    Add-HostDue -After 5 -Name 'calico-install' -Subject ''
}

$script:Happening['calico-install'] = {
    # The init containers. node/windows-packaging/CalicoWindows/uninstall-calico-hpc.ps1, at 0ca9d1b9, removes a service
    # called kube-proxy, and leaves the conflist of an earlier start; cni-plugin/pkg/install/install.go writes it again.
    if (-not $script:Machine.DaemonSet -or -not $script:Machine.Running.ContainsKey('kubelet')) { return }
    if ($null -ne (Get-HostServiceValue -Name 'kube-proxy' -Value 'ImagePath')) {
        Stop-HostService -Name 'kube-proxy'
        Remove-HostService -Name 'kube-proxy'
    }
    $null = New-Item -ItemType Directory -Path 'C:\etc\cni\net.d', 'C:\var\run\calico' -Force
    Set-Content -LiteralPath $script:CalicoConf -Value '{"name":"Calico","plugins":[{"type":"calico"}]}'
    Set-Content -LiteralPath $script:CalicoKubeconfig -Value 'users: []'
    (Get-Item -LiteralPath $script:CalicoConf).LastWriteTimeUtc = Get-HostTime
    Add-HostDue -After 5 -Name 'calico-node' -Subject ''
}

$script:Happening['calico-node'] = {
    # node/windows-packaging/CalicoWindows/node/node-service.ps1: at its first start after a boot all HNS networks go but
    # NAT ones, with the endpoints of pods; then it makes External, and waits ten seconds.
    # With backend none it does none of this, and neither does the startup.
    $made = $script:Machine.DaemonSet
    if (-not $made) { return }
    if ($made['Backend'] -eq 'none') { return Set-Content -LiteralPath $script:CalicoNodeName -Value 'node-a' -NoNewline }
    $key = 'SOFTWARE\Tigera\Calico'
    if ("$([WinNodeHost.Registry]::Get($key, 'LastBootTime'))" -ne "$($script:Machine.Boot)") {
        $script:Machine.Networks = @($script:Machine.Networks | Where-Object -FilterScript { $_.Type -eq 'NAT' })
        $script:Machine.Endpoints = @()
    }
    Add-HostNetwork -Name 'External' -Type $made.Type -Subnet '192.168.255.0/30' -Kept
    # With windows-bgp, Restart-Service fails where the service is disabled, and the script goes on without BGP.
    if ($made.Type -eq 'L2Bridge' -and -not $script:Machine.Running.ContainsKey('RemoteAccess')) {
        $script:Machine.Events += 'calico-node : Restart-Service : Service ''Routing and Remote Access (RemoteAccess)'' cannot be started'
    }
    [WinNodeHost.Registry]::Set($key, 'LastBootTime', 'String', "$($script:Machine.Boot)")
    Add-HostDue -After 10 -Name 'calico-startup' -Subject ''
}

$script:Happening['calico-startup'] = {
    # node/pkg/lifecycle/startup/startup_windows.go ensureNetworkForOS: the network of the node's block, and the endpoint
    # of the host at its second address.
    $made = $script:Machine.DaemonSet
    if (-not $made) { return }
    Set-Content -LiteralPath $script:CalicoNodeName -Value 'node-a' -NoNewline
    Add-HostNetwork -Name $made.Name -Type $made.Type -Subnet '10.244.3.0/26' -Kept
    Add-HostEndpoint -Last 2 -Name "$($made.Name)_ep" -Of $made.Name
    # calico, confd/windows-packaging/config-bgp.psm1: the router, and by default each node of the mesh as a peer.
    if ($made.Type -eq 'L2Bridge' -and $script:Machine.Running.ContainsKey('RemoteAccess') -and $null -eq $script:Machine.Remote['Peers']) {
        $script:Machine.Remote.Peers = @(@{ Address = '192.0.2.20'; Session = $true })
    }
}

function Add-HostCalicoNetwork {
    # With backend none, the plugin's ADD creates the network of the Node's pod CIDR, and the endpoint of the host.
    # Verdicts operator-host-local and host-local-node-without-pod-cidr of its conf.
    $made = $script:Machine.DaemonSet
    if ($made -isnot [System.Collections.IDictionary] -or $made['Backend'] -ne 'none') { return }
    if (-not (Test-Path -LiteralPath $script:CalicoConf)) { return }
    if (-not $script:Machine.PodSubnet) { return $script:Machine.Events += 'calico : invalid CIDR address: ' }
    if (@($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $made.Name }).Count -eq 0) {
        Add-HostNetwork -Name $made.Name -Type $made.Type -Subnet $script:Machine.PodSubnet -Kept
    }
    # Each ADD, also where the network exists: verdict network-there-overlay-for-bgp.
    if (@($script:Machine.Endpoints | Where-Object -FilterScript { $_.Name -eq "$($made.Name)_ep" }).Count -eq 0) {
        Add-HostEndpoint -Last 2 -Name "$($made.Name)_ep" -Of $made.Name
    }
}

function Add-HostFirstPod {
    # A pod without the network of the host, where the first one creates the HNS network.
    $made = $script:Machine.DaemonSet
    if ($made -is [System.Collections.IDictionary] -and $made['Backend'] -eq 'none' -and -not (Test-HostPod -Name 'first')) { Add-HostPod -Name 'first' }
}

function Assert-HostCalicoDelete {
    # A sandbox that goes: containerd has no plugin without a conf, and Calico's DEL fails without these files. Verdicts
    # kubeconfig-missing-file and del-nodename-file-missing of its conf; containerd, internal/cri/server/sandbox_stop.go.
    if ($script:Machine.DaemonSet -isnot [System.Collections.IDictionary] -or $script:Machine.DaemonSet['Name'] -ne 'Calico') { return }
    if (-not (Test-Path -LiteralPath $script:CalicoConf)) { throw 'cni config not initialized' }
    if (-not (Test-Path -LiteralPath $script:CalicoKubeconfig)) { throw 'error creating calico client: GetFileAttributesEx calico-kubeconfig: File not found.' }
    if (-not (Test-Path -LiteralPath $script:CalicoNodeName)) { throw 'GetFileAttributesEx c:/var/run/calico/nodename: Path not found.: check that the calico/node container is running and has mounted /var/lib/calico/' }
}
