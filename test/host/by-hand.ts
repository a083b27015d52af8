// Changes made to a node by hand, as PowerShell on the simulated host.

/** Manual changes of a node, by the step that finds them, and what else then differs. */
export const drifts: readonly (readonly [id: string, script: string, also?: readonly string[]])[] =
  [
    [
      'page-file',
      `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management' -Name PagingFiles -Value ([string[]]'?:\\pagefile.sys')`,
    ],
    [
      'test-signing',
      `[WinNodeHost.Registry]::Set('BCD00000000\\Objects\\{b2721d73-1db4-4c62-bf78-c548a880142d}\\Elements\\16000049', 'Element', 'Binary', [byte[]]0)`,
    ],
    [
      'folder',
      `$list = Get-Acl -LiteralPath 'C:\\k'; $list.SetSecurityDescriptorSddlForm('D:(A;OICI;FA;;;WD)', 'Access'); Set-Acl -LiteralPath 'C:\\k' -AclObject $list`,
    ],
    ['readable-folder', `Remove-Item -LiteralPath 'C:\\var\\lib\\pods'`],
    [
      'dword',
      `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State' -Name HNSControlFlag -Value 0`,
    ],
    ['list', `Remove-ItemProperty -LiteralPath 'HKLM:\\SOFTWARE\\winnode-test' -Name List`],
    [
      'dynamic-ports',
      `$null = Invoke-HostProgram -Name netsh -Argument 'interface ipv4 set dynamicportrange protocol=tcp startport=49152 numberofports=16384 store=persistent'.Split(' ')`,
    ],
    [
      'excluded-port',
      `$null = Invoke-HostProgram -Name netsh -Argument 'interface ipv4 delete excludedportrange protocol=udp startport=65330 numberofports=1 store=persistent'.Split(' ')`,
    ],
    ['volume', `Set-HostFact -Name Room -Value 20GB`],
    [
      'power',
      `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Power\\User\\PowerSchemes' -Name ActivePowerScheme -Value 'a1841308-3541-4fab-bc81-f71556f20b4a'`,
    ],
    ['time', `Stop-Service -Name W32Time`],
    [
      'firewall',
      `Remove-NetFirewallRule -Name winnode-kubelet; $null = New-NetFirewallRule -Name winnode-kubelet -DisplayName other -Direction Inbound -Action Block -Enabled True`,
    ],
    ['defender', `Remove-MpPreference -ExclusionProcess 'C:\\k\\kubelet.exe'`],
    ['defender-folder', `Remove-MpPreference -ExclusionPath 'C:\\layers'`],
    [
      'path',
      `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment' -Name Path -Value '%SystemRoot%\\system32;%SystemRoot%'`,
    ],
    ['nssm-archive', `Set-Content -LiteralPath 'C:\\k\\nssm.exe' -Value 'program other'`],
    ['kubelet-program', `Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program other'`],
    [
      'containerd-config',
      `Add-Content -LiteralPath 'C:\\Program Files\\containerd\\config.toml' -Value '# mine'`,
    ],
    ['facts-file', `Set-Content -LiteralPath 'C:\\etc\\node.json' -Value '{}'`],
    [
      'containerd-service',
      `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\containerd' -Name ImagePath -Value 'C:\\Program Files\\containerd\\bin\\containerd.exe'`,
    ],
    [
      'log',
      `[System.IO.File]::WriteAllBytes((Convert-Path -LiteralPath 'C:\\var\\log\\containerd') + '/containerd.log', [byte[]]::new(2MB))`,
    ],
    ['image', `Set-HostFact -Name Images -Value @()`],
    ['containerd-runs', `Stop-Service -Name containerd -Force`, ['kubelet-runs']],
    [
      'kubelet-service',
      `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet' -Name DependOnService -Value ([string[]]'none')`,
    ],
    [
      'joined',
      `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf' -Value 'token'`,
    ],
    ['kubelet-start', `Set-Service -Name kubelet -StartupType Manual`],
    [
      'plugin-file',
      `$null = New-Item -ItemType Directory -Path 'C:\\etc\\cni\\net.d' -Force
      Set-Content -LiteralPath 'C:\\etc\\cni\\net.d\\plugin-kubeconfig' -Value '{}'
      (Get-Item -LiteralPath 'C:\\etc\\cni\\net.d\\plugin-kubeconfig').LastWriteTimeUtc = [DateTime]::new(2025, 12, 31)`,
    ],
    ['boot-task', `Unregister-ScheduledTask -TaskName winnode-boot -TaskPath '\\' -Confirm:$false`],
    ['external', `Get-HnsNetwork | Where-Object -Property Name -EQ External | Remove-HnsNetwork`],
    [
      'network',
      `Stop-Service -Name flanneld; Get-HnsEndpoint | Remove-HnsEndpoint; Get-HnsNetwork | Where-Object -Property Name -NE External | Remove-HnsNetwork`,
      // Without the network the pod subnet is not known.
      ['flanneld-runs', 'given-address'],
    ],
    [
      'route',
      `Set-HostFact -Name Routes -Value @(@{ DestinationPrefix = '169.254.169.254/32'; NextHop = '192.0.2.9' })`,
      ['route-again'],
    ],
    [
      'source-vip',
      `Remove-Item -LiteralPath 'C:\\var\\lib\\cni\\networks\\flannel.4096\\10.244.3.2'`,
    ],
    [
      'host-address',
      `Remove-Item -LiteralPath 'C:\\var\\lib\\cni\\networks\\flannel.4096\\10.244.3.200'`,
    ],
    [
      'kube-proxy-config',
      `Set-Content -LiteralPath 'C:\\var\\lib\\kube-proxy\\config.json' -Value '{}'`,
    ],
    ['kube-proxy-runs', `Stop-Service -Name kube-proxy`],
  ]

/** A service that is not as winnode left it; whether the machine must restart before it is right. */
export const wrongServices: Readonly<Record<string, readonly [script: string, restart: boolean]>> =
  {
    'it is stopped': [`Stop-Service -Name containerd -Force`, false],
    'it has another command line': [
      `Edit-HostService -Name containerd -Change @{ PathName = 'C:\\other.exe' }`,
      false,
    ],
    'it is disabled': [`Set-Service -Name containerd -StartupType Disabled`, false],
    'it is gone': [
      `Stop-Service -Name containerd -Force; Remove-HostService -Name containerd`,
      false,
    ],
    'it is marked for deletion, and still runs': [
      `Set-HostServiceValue -Name containerd -Value DeleteFlag -Kind DWord -Data 1`,
      false,
    ],
    'it is marked for deletion, and a console holds it': [
      `Set-HostServiceValue -Name containerd -Value DeleteFlag -Kind DWord -Data 1; Set-HostFact -Name Handles -Value @{ containerd = 1 }`,
      true,
    ],
  }
