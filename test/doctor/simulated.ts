// Problems of a healthy joined node, as PowerShell on the simulated host, by the diagnosis that finds them.

const inHost = (script: string): string => `& (Get-Module -Name host) { ${script} }`
const nodePath = "'/api/v1/nodes/node-a'"
const node = (change: string): string =>
  `$node = [WinNodeHost.ApiServer]::Get(${nodePath}) | ConvertFrom-Json -AsHashtable; ${change}; Set-HostObject -Path ${nodePath} -Value $node`
const condition = (type: string, status: string, message: string): string =>
  node(
    `$node.status.conditions = @($node.status.conditions | Where-Object { $_.type -ne '${type}' }) + @{ type = '${type}'; status = '${status}'; message = '${message}' }`,
  )
const windows = (name: string, kind: string, value: string): string =>
  `[WinNodeHost.Registry]::Set('SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion', '${name}', '${kind}', ${value})`
const parameter = (name: string, value: string): string =>
  `[WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters', '${name}', 'String', '${value}')`
const reservations = 'C:\\var\\lib\\cni\\networks\\flannel.4096'
const proxyConfig = 'C:\\var\\lib\\kube-proxy\\config.json'
const kubeletConf = 'C:\\etc\\kubernetes\\kubelet.conf'
const pem = 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem'

export const simulated: Readonly<Record<string, string>> = {
  'service-disabled': 'Set-Service -Name containerd -StartupType Disabled',
  'service-gone': 'Stop-Service -Name kube-proxy -Force; Remove-HostService -Name kube-proxy',
  'containerd-stopped': 'Stop-Service -Name containerd -Force',
  'kubelet-stopped': 'Stop-Service -Name kubelet',
  'kube-proxy-stopped': 'Stop-Service -Name kube-proxy',
  'flanneld-stopped': 'Stop-Service -Name flanneld',
  'service-ends':
    "Set-HostFact -Name Events -Value @('The kubelet service terminated unexpectedly.  It has done this 3 time(s).')",
  'boot-task-gone':
    "Unregister-ScheduledTask -TaskName winnode-boot -TaskPath '\\' -Confirm:$false",
  'kubelet-silent': 'Restart-Service -Name kubelet',
  'runtime-endpoint-wrong': `Set-Content -LiteralPath 'C:\\var\\lib\\kubelet\\config.json' -Value '{"kind": "KubeletConfiguration", "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock"}'`,

  'clock-off': '[WinNodeHost.ApiServer]::Now = [WinNodeHost.ApiServer]::Now.AddSeconds(301)',
  'certificate-expired': 'Skip-HostTime -Seconds (366 * 86400)',
  'certificate-early': 'Skip-HostTime -Seconds -86400',
  'certificate-late': 'Skip-HostTime -Seconds (350 * 86400)',
  'credentials-lost': `Stop-Service -Name kubelet; Remove-Item -LiteralPath '${pem}'`,
  'credentials-broken': `(Get-Content -LiteralPath '${kubeletConf}') -notmatch 'certificate-authority-data' | Set-Content -LiteralPath '${kubeletConf}'`,
  'request-waits': `Set-HostCluster -Name Signs -Value wait; Remove-Item -LiteralPath '${pem}'`,
  'machine-renamed': `${parameter('Hostname', 'node-b')}; ${parameter('NV Hostname', 'node-b')}`,
  'other-cluster': `$other = Get-HostKubeconfig -Ca ([WinNodeHost.ApiServer]::ForeignPem) -Server https://other.example.com:6443
    $ca = ($other -split "\\n" -match 'certificate-authority-data')[0].Trim()
    (Get-Content -LiteralPath '${kubeletConf}') -replace 'certificate-authority-data:.*', $ca -replace 'https:.*', 'https://other.example.com:6443' | Set-Content -LiteralPath '${kubeletConf}'`,
  'file-not-copied': "Remove-Item -LiteralPath 'C:\\etc\\kubernetes\\kube-proxy.conf'",
  'api-server-away': 'Stop-HostApi -For 30',

  'hns-network-missing': 'Get-HnsEndpoint | Remove-HnsEndpoint; Get-HnsNetwork | Remove-HnsNetwork',
  'hns-network-wrong': inHost(
    "($script:Machine.Networks | Where-Object { $_.Name -eq 'flannel.4096' }).Type = 'L2Bridge'",
  ),
  'host-endpoint-missing': 'Set-HostFact -Name Endpoints -Value @()',
  'subnet-of-earlier-join': `Move-Item -LiteralPath '${reservations}\\10.244.3.2' -Destination '${reservations}\\10.244.9.2'`,
  'address-changed': "Set-HostFact -Name Address -Value '192.0.2.77'",
  'adapter-missing': inHost('$script:Machine.Moving = $true'),
  'hns-silent': 'Add-HostFault -On Get-HnsNetwork -Hangs 3600 -Times 99',
  'cni-configuration-foreign':
    "Set-Content -LiteralPath 'C:\\etc\\cni\\net.d\\00-theirs.conf' -Value '{}'",
  'port-reserved':
    "Stop-Service -Name kubelet; Set-HostFact -Name ExcludedPorts -Value @(@{ Protocol = 'tcp'; From = 10200; To = 10299; Mark = '' })",
  'kubelet-port-closed': 'Remove-NetFirewallRule -Name winnode-kubelet',
  'port-held': "Set-HostFact -Name Holders -Value @{ '10250' = 'exporter' }",
  'ports-exhausted': 'Set-HostFact -Name Connections -Value 31000',
  'plugin-not-ready': condition(
    'Ready',
    'False',
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  ),

  'service-without-load-balancer': inHost(
    `$script:Machine.PolicyLists = @($script:Machine.PolicyLists | Where-Object -FilterScript { $_.ID -notlike '*UDP' })`,
  ),
  'load-balancer-stale': `Add-HostService -Name kube-system/kube-dns -Address 10.96.0.10 -Behind 10.244.0.9 -Label @{ 'k8s-app' = 'kube-dns' } -Port @{ name = 'dns'; port = 53; protocol = 'UDP' }`,
  'kube-proxy-account':
    "Set-HostToken -Token 'token-of-kube-proxy' -User 'system:serviceaccount:kube-system:other'",
  'kube-proxy-behind': inHost('$script:Machine.Proxy.Queued = $script:Machine.Seconds - 61'),
  'kube-proxy-for-other-node': `(Get-Content -Raw -LiteralPath '${proxyConfig}') -replace 'node-a', 'node-b' | Set-Content -NoNewline -LiteralPath '${proxyConfig}'`,
  'kube-proxy-silent': 'Restart-Service -Name kube-proxy',
  'node-leaves': node(
    "$node.spec.taints += @{ key = 'ToBeDeletedByClusterAutoscaler'; effect = 'NoSchedule' }",
  ),

  'disk-full': 'Set-HostFact -Name FreeSpace -Value 9GB',
  'drive-missing': 'Set-HostFact -Name Volumes -Value @()',
  'memory-short': `${condition('MemoryPressure', 'True', 'kubelet has insufficient memory available')}; Set-HostFact -Name FreeMemory -Value 300MB`,
  'name-server-missing': 'Set-HostFact -Name NameServers -Value @()',
  'clock-alone': "Set-HostFact -Name TimeSource -Value 'Local CMOS Clock'",
  'windows-silent': 'Add-HostFault -On Win32_OperatingSystem -Hangs 3600 -Times 99',
  'runtime-stalled': condition('Ready', 'False', 'PLEG is not healthy'),
  'older-kubelet-runs': node("$node.status.nodeInfo.kubeletVersion = 'v1.35.9'"),
  'cloud-has-not-found-it': node(
    "$node.spec.taints = @($node.spec.taints) + @{ key = 'node.cloudprovider.kubernetes.io/uninitialized'; effect = 'NoSchedule' }",
  ),
  'node-cordoned': node('$node.spec.unschedulable = $true'),
  'labels-changed': node('$node.metadata.labels = @{}'),

  'revision-breaks': windows('UBR', 'DWord', '2600'),
  'windows-old': windows('UBR', 'DWord', '1000'),
  'windows-other': windows('CurrentBuildNumber', 'String', "'17763'"),
  'restart-waits': parameter('NV Hostname', 'node-c'),
  'feature-missing': inHost("$script:Machine.Features['Containers'] = 'Available'"),
  'other-agent':
    "$null = New-Item -Path 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\docker' -Force",
  'secure-boot-on':
    "[WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Control\\SecureBoot\\State', 'UEFISecureBootEnabled', 'DWord', 1)",
  'defender-scans': "Remove-MpPreference -ExclusionProcess 'C:\\k\\kubelet.exe'",
  'rights-changed':
    "$list = Get-Acl -LiteralPath 'C:\\k'; $list.SetSecurityDescriptorSddlForm('D:(A;OICI;FA;;;WD)', 'Access'); Set-Acl -LiteralPath 'C:\\k' -AclObject $list",
  'program-replaced': "Set-Content -LiteralPath 'C:\\k\\kubeadm.exe' -Value 'program other'",
  'power-saved':
    "Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Power\\User\\PowerSchemes' -Name ActivePowerScheme -Value 'a1841308-3541-4fab-bc81-f71556f20b4a'",
  'page-file-missing':
    "Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management' -Name PagingFiles -Value ([string[]]'?:\\pagefile.sys')",
  'sandbox-image-gone': 'Set-HostFact -Name Images -Value @()',
}

/** The same, for a machine that is prepared and has not joined yet. */
export const unjoined: Readonly<Record<string, string>> = {
  'name-refused': `${parameter('Hostname', 'node_a')}; ${parameter('NV Hostname', 'node_a')}`,
  'name-long': `${parameter('Hostname', 'windows-server-1')}; ${parameter('NV Hostname', 'windows-server-1')}`,
}
