// Messages of programs, from a bug report, their source or a recorded verdict, by the diagnosis that they lead to.

const logs = {
  kubelet: 'C:\\var\\log\\kubelet\\kubelet.log',
  kubeProxy: 'C:\\var\\log\\kube-proxy\\kube-proxy.log',
  flanneld: 'C:\\var\\log\\flanneld\\flanneld.log',
  containerd: 'C:\\var\\log\\containerd\\containerd.log',
  winnode: 'C:\\var\\log\\winnode\\winnode.log',
} as const

interface Cited {
  readonly log: string
  readonly line: string
  /** An address, or a file of test/upstream. */
  readonly from: string
  /** The log of a successful start has this line, too; here the Node is not Ready. */
  readonly ill?: true
}

const kubernetes = 'https://github.com/kubernetes/kubernetes'

export const cited: Readonly<Record<string, Cited>> = {
  'containerd-pipe-absent': {
    log: logs.kubelet,
    line: 'E1125 23:37:54.691809    7616 remote_runtime.go:391] "ListPodSandbox with filter from runtime service failed" err="rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing open //./pipe/containerd-containerd: The system cannot find the file specified.\\""',
    from: 'https://github.com/containerd/containerd/issues/9437',
    ill: true,
  },
  'containerd-configuration': {
    log: logs.containerd,
    line: 'containerd: failed to load TOML from C:\\Program Files\\containerd\\config.toml: toml: expected character =',
    from: 'https://github.com/containerd/containerd/blob/main/cmd/containerd/server/config/config.go',
  },
  'kubelet-flag-unknown': {
    log: logs.kubelet,
    line: 'failed to parse kubelet flag: unknown flag: --container-runtime',
    from: 'test/upstream/verdicts/kubelet-flags.json',
  },
  'kubelet-configuration': {
    log: logs.kubelet,
    line: 'failed to validate kubelet configuration, error: invalid configuration: eventBurst (--event-burst) -1 must not be a negative number',
    from: 'test/upstream/verdicts/kubelet-config.json',
  },
  'kubelet-socket-left': {
    log: logs.kubelet,
    line: 'E0828 03:15:28.934935    5404 kubelet.go:1566] "Failed to start ContainerManager" err="listen unix C:\\\\var\\\\lib\\\\kubelet\\\\device-plugins\\\\kubelet.sock: bind: Only one usage of each socket address (protocol/network address/port) is normally permitted."',
    from: `${kubernetes}/issues/126965`,
  },
  'certificate-expired': {
    log: logs.kubelet,
    line: 'E0118 17:33:58.888700 1457370 bootstrap.go:265] part of the existing bootstrap client certificate is expired: 2020-12-06 18:55:55 +0000 UTC',
    from: `${kubernetes}/issues/98150`,
  },
  'bootstrap-kubeconfig-gone': {
    log: logs.kubelet,
    line: 'F0118 17:33:58.888743 1457370 server.go:271] failed to run Kubelet: unable to load bootstrap kubeconfig: stat /etc/kubernetes/bootstrap-kubelet.conf: no such file or directory',
    from: `${kubernetes}/issues/98150`,
  },
  'machine-renamed': {
    log: logs.kubelet,
    line: 'E0825 18:50:05.483424   24491 controller.go:116] failed to ensure node lease exists, will retry in 7s, error: leases.coordination.k8s.io "arktos-worker-1" is forbidden: User "system:node:lab-arktos-vm-1" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-node-lease": can only access node lease with the same name as the requesting node',
    from: 'https://github.com/CentaurusInfra/arktos/issues/619',
  },
  'ca-file-gone': {
    log: logs.kubelet,
    line: 'F0428 21:54:37.069887    1624 server.go:254] unable to load client CA file C:\\var\\lib\\kubelet\\etc\\kubernetes\\pki\\ca.crt: open C:\\var\\lib\\kubelet\\etc\\kubernetes\\pki\\ca.crt: The system cannot find the path specified.',
    from: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/72',
  },
  'name-unresolved': {
    log: logs.kubelet,
    line: 'Unable to override node-name: lookup minikube on x:53: no such host',
    from: 'https://github.com/kubernetes/minikube/issues/7161',
    ill: true,
  },
  'hns-network-stale': {
    log: logs.kubelet,
    line: 'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "5116e17bcca6": hcnCreateNetwork failed in Win32: A network with this name already exists. (0x803b0010) {"Success":false,"Error":"A network with this name already exists. ","ErrorCode":2151350288}',
    from: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/249',
  },
  'hns-element-missing': {
    log: logs.containerd,
    line: 'time="2020-09-20T18:51:43.158867000Z" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:win-webserver-8fd4cbb56-498w8,Namespace:default,Attempt:0,} failed, error" error="failed to setup network for sandbox: error while ProvisionEndpoint(628103c72ff1_flannel.4096): failed to find HNSEndpoint 628103c72ff1_flannel.4096: Endpoint 628103c72ff1_flannel.4096 not found"',
    from: `${kubernetes}/issues/94924`,
  },
  'hns-policy-refused': {
    log: logs.kubeProxy,
    line: 'E0509 18:41:13.804062    3176 proxier.go:1034] Policy creation failed: hnsCall failed in Win32: The provided policy configuration is invalid or missing parameters. (0x803b000d)',
    from: 'https://github.com/aws/containers-roadmap/issues/240',
  },
  'subnet-file-missing': {
    log: logs.kubelet,
    line: 'E0806 09:37:43.105541  614364 cni.go:260] Error adding network: open /run/flannel/subnet.env: The system cannot find the path specified.',
    from: 'https://github.com/microsoft/SDN/issues/244',
    ill: true,
  },
  'plugin-not-ready': {
    log: logs.kubelet,
    line: 'E0326 23:54:49.122828    4952 kubelet.go:2187] Container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:docker: network plugin is not ready: cni config uninitialized',
    from: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/61',
    ill: true,
  },
  'flanneld-configuration': {
    log: logs.flanneld,
    line: 'Error registering network: invalid VXLAN backend config. VNI [4095] must be greater than or equal to 4096 on Windows',
    from: 'test/upstream/verdicts/flanneld.json',
  },
  'bridge-refused': {
    log: logs.winnode,
    line: '2026-01-01T10:00:00Z fail hns-network HNS refused to create networks: @{Success=False; Error=An adapter was not found.; ErrorCode=2151350278}',
    from: 'https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/hns.psm1',
    ill: true,
  },
  'bridge-without-subnet': {
    log: logs.winnode,
    line: "2026-01-01T10:00:00Z fail hns-network the node's pod CIDR is unknown: the Node has no podCIDR: kube-controller-manager assigns one with --allocate-node-cidrs",
    from: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/',
    ill: true,
  },
  'adapter-missing': {
    log: logs.flanneld,
    line: 'E0206 18:33:48.678026    4464 main.go:225] Failed to find interface to use that matches the interfaces and/or regexes provided',
    from: 'https://github.com/flannel-io/flannel/issues/944',
  },
  'kube-proxy-for-other-node': {
    log: logs.kubeProxy,
    line: 'W0619 18:35:58.378909   17121 server.go:601] Failed to retrieve node info: nodes "x" not found',
    from: 'https://github.com/rancher-archives/rke/issues/698',
    ill: true,
  },
  'source-vip-empty': {
    log: logs.kubeProxy,
    line: 'source-vip flag not set',
    from: `${kubernetes}/blob/master/pkg/proxy/winkernel/proxier.go`,
  },
  'hns-port-kept': {
    log: logs.kubeProxy,
    line: 'proxier.go: 1756] "Healthcheck loadbalancer policy creation failed" err="hcnCreateLoadBalancer failed in Win32: The specified port already exists. (0x803b0013)"',
    from: 'https://github.com/kubernetes/community/issues/8883',
  },
  'load-balancer-kept': {
    log: logs.kubeProxy,
    line: 'hcnCreateLoadBalancer failed in Win32: Cannot create a file when that file already exists. (0xb7)',
    from: `${kubernetes}/issues/139519`,
  },
  'switch-port-missing': {
    log: logs.kubeProxy,
    line: 'E1222 10:21:07.484910    5948 proxier.go:1202] "Policy creation failed" err="hcnCreateLoadBalancer failed in Win32: The switch-port was not found. (0x803b0007)"',
    from: 'https://github.com/microsoft/hcsshim/issues/1043',
  },
  'disk-full': {
    log: logs.containerd,
    line: 'level=error msg="hcsshim::ImportLayer failed in Win32: There is not enough space on the disk. (0x70)"',
    from: 'https://github.com/StefanScherer/windows-docker-machine/issues/48',
  },
  'memory-short': {
    log: logs.kubelet,
    line: 'failure in a Windows system call: The paging file is too small for this operation to complete.',
    from: 'https://github.com/Azure/AKS/issues/1941',
  },
  'runtime-stalled': {
    log: logs.kubelet,
    line: 'skipping pod synchronization - PLEG is not healthy: pleg was last seen active 3m12s ago; threshold is 3m0s',
    from: `${kubernetes}/blob/master/pkg/kubelet/pleg/generic.go`,
  },
  'image-of-other-windows': {
    log: logs.kubelet,
    line: 'Failed create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox container for pod "win-webserver-cfcdfb59b-xdn2z": CreateComputeSystem cf6b9017d287: The container operating system does not match the host operating system.',
    from: 'https://github.com/MicrosoftDocs/Virtualization-Documentation/issues/1030',
  },
  'image-without-windows': {
    log: logs.kubelet,
    line: 'E0203 21:24:07.320262    3768 kuberuntime_image.go:51] "Failed to pull image" err="rpc error: code = NotFound desc = failed to pull and unpack image \\"docker.io/sigwindowstools/calico-install:v3.24.4-hostprocess\\": no match for platform in manifest: not found"',
    from: 'https://github.com/containerd/containerd/issues/8070',
  },
  'calico-waits-for-hns': {
    log: logs.kubelet,
    line: 'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "3be3038d": plugin type="calico" name="Calico" failed (add): timeout acquiring mutex',
    from: 'https://github.com/projectcalico/calico/issues/7823',
  },
  'container-program-missing': {
    log: logs.kubelet,
    line: 'rpc error: code = Unknown desc = failed to start containerd task "544494bda2d94405c85025aadab41c328224baa1edd2055afb0fee163ae3c50d": hcs::System::CreateProcess 544494bda2d94405c85025aadab41c328224baa1edd2055afb0fee163ae3c50d: The system cannot find the file specified.: unknown',
    from: 'https://github.com/containerd/containerd/issues/6300',
  },
  'registry-untrusted': {
    log: logs.containerd,
    line: 'failed to do request: Head https://registry.xxx.xxxx/v2/core/portal-backend/manifests/1: x509: certificate signed by unknown authority',
    from: 'https://github.com/containerd/containerd/issues/3804',
  },
  'api-server-untrusted': {
    log: logs.kubelet,
    line: 'E0629 05:29:43.583645    2413 kubelet_node_status.go:106] Unable to register node "bootstrap-e2e-minion-group-bxn4" with API server: Post https://35.192.63.12/api/v1/nodes: x509: certificate signed by unknown authority',
    from: 'https://github.com/kubernetes/kubernetes/issues/48282',
  },
  'api-server-expired': {
    log: logs.kubelet,
    line: 'E0117 01:00:37.374844   62162 reflector.go:205] k8s.io/kubernetes/pkg/kubelet/kubelet.go:422: Failed to list *v1.Node: Get https://127.0.0.1:6443/api/v1/nodes?fieldSelector=metadata.name%3D172.19.3.169&resourceVersion=0: x509: certificate has expired or is not yet valid',
    from: 'https://github.com/rancher-archives/rke/issues/236',
  },
  'registry-limits': {
    log: logs.kubelet,
    line: 'Failed to pull image "busybox": rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/busybox:latest": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/library/busybox/manifests/sha256:50aa: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.',
    from: 'https://github.com/kata-containers/kata-containers/issues/10109',
  },
  'container-log-grows': {
    log: logs.kubelet,
    line: 'Failed to rotate log for container',
    from: `${kubernetes}/issues/124443`,
  },
  'container-lost': {
    log: logs.kubelet,
    line: 'E0512 12:10:36.267935    6984 remote_runtime.go:495] ListContainerStats from runtime service failed: rpc error: code = Unknown desc = hcsshim::OpenComputeSystem dc03e5b03640: A virtual machine or container with the specified identifier does not exist.',
    from: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/85',
  },
}
