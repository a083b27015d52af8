// Every command that the node's scripts call and do not define, with the module that contains it.

/**
 * In Windows PowerShell 5.1 wherever Windows Server runs, Server Core included. PSScriptAnalyzer's profile of
 * 5.1, named in PSScriptAnalyzerSettings.psd1, lists them; the test asks it where it is present.
 */
export const inBox: Readonly<Record<string, readonly string[]>> = {
  CimCmdlets: ['Get-CimClass', 'Get-CimInstance', 'Invoke-CimMethod', 'New-CimInstance'],
  Defender: ['Add-MpPreference', 'Get-MpPreference', 'Remove-MpPreference'],
  Dism: ['Get-WindowsOptionalFeature'],
  DnsClient: ['Get-DnsClientServerAddress'],
  'Microsoft.PowerShell.Core': [
    ...['Export-ModuleMember', 'ForEach-Object', 'Get-Command', 'Get-Module', 'Import-Module'],
    ...['Set-StrictMode', 'Where-Object'],
  ],
  'Microsoft.PowerShell.Diagnostics': ['Get-WinEvent'],
  'Microsoft.PowerShell.Management': [
    ...['Copy-Item', 'Get-ChildItem', 'Get-Content', 'Get-Item', 'Get-Process', 'Get-Service'],
    ...['Join-Path', 'Move-Item', 'Split-Path'],
    ...['New-Item', 'New-ItemProperty', 'New-Service', 'Pop-Location', 'Push-Location'],
    ...['Remove-Item', 'Remove-ItemProperty', 'Resolve-Path', 'Restart-Service', 'Set-Item'],
    ...[
      'Get-ItemProperty',
      'Set-Content',
      'Set-Service',
      'Start-Process',
      'Start-Service',
      'Stop-Process',
      'Stop-Service',
      'Test-Path',
    ],
  ],
  'Microsoft.PowerShell.Security': ['Get-Acl', 'Set-Acl'],
  'Microsoft.PowerShell.Utility': [
    ...[
      'Add-Member',
      'Add-Type',
      'ConvertFrom-Json',
      'ConvertTo-Json',
      'Get-Date',
      'Get-FileHash',
      'Group-Object',
      'Invoke-RestMethod',
      'New-Object',
      'New-TimeSpan',
    ],
    ...['Out-String', 'Select-Object', 'Select-String', 'Sort-Object', 'Start-Sleep'],
    ...['Write-Error', 'Write-Information', 'Write-Verbose'],
  ],
  'Microsoft.WSMan.Management': ['Remove-WSManInstance'],
  PKI: ['New-SelfSignedCertificate'],
  NetAdapter: ['Get-NetAdapter', 'Set-NetAdapterBinding'],
  NetNat: ['Get-NetNat', 'Remove-NetNat'],
  RemoteAccess: [
    'Get-BgpPeer',
    'Get-RemoteAccess',
    'Install-RemoteAccess',
    'Uninstall-RemoteAccess',
  ],
  NetConnection: ['Get-NetConnectionProfile'],
  NetSecurity: [
    ...['Get-NetFirewallAddressFilter', 'Get-NetFirewallPortFilter', 'Get-NetFirewallProfile'],
    ...['Get-NetFirewallRule', 'New-NetFirewallRule', 'Remove-NetFirewallRule'],
  ],
  NetTCPIP: [
    ...['Get-NetIPAddress', 'Get-NetIPInterface', 'Get-NetRoute', 'Get-NetTCPConnection'],
    ...['New-NetRoute', 'Remove-NetRoute', 'Set-NetIPInterface'],
  ],
  Storage: ['Get-Disk', 'Get-Partition', 'Get-PartitionSupportedSize', 'Resize-Partition'],
  ScheduledTasks: [
    ...['Disable-ScheduledTask', 'Enable-ScheduledTask', 'Get-ScheduledTask'],
    ...['Get-ScheduledTaskInfo', 'New-ScheduledTaskAction', 'New-ScheduledTaskPrincipal'],
    ...['New-ScheduledTaskSettingsSet', 'New-ScheduledTaskTrigger', 'Register-ScheduledTask'],
    ...['Start-ScheduledTask', 'Unregister-ScheduledTask'],
  ],
}

/** Not in that profile, which is one of a client: where it comes from, and when it exists. */
export const additions: readonly {
  readonly module: string
  readonly condition: string
  readonly source: string
  readonly commands: readonly string[]
}[] = [
  {
    module: 'ServerManager',
    condition: 'on every Windows Server, Server Core included; on no client',
    source: 'https://learn.microsoft.com/powershell/module/servermanager/',
    commands: ['Get-WindowsFeature', 'Install-WindowsFeature', 'Uninstall-WindowsFeature'],
  },
  {
    module: 'HostNetworkingService',
    condition: 'once the feature Containers or Hyper-V is active',
    source: 'https://learn.microsoft.com/powershell/module/hostnetworkingservice/',
    commands: [
      ...['Get-HnsEndpoint', 'Get-HnsNetwork', 'Get-HnsPolicyList'],
      ...['Remove-HnsEndpoint', 'Remove-HnsNetwork', 'Remove-HnsPolicyList'],
    ],
  },
  {
    module: 'Hyper-V',
    condition: 'once the feature Hyper-V-PowerShell is active',
    source: 'https://learn.microsoft.com/powershell/module/hyper-v/?view=windowsserver2019-ps',
    commands: ['Get-VMSwitch', 'Remove-VMNetworkAdapter', 'Remove-VMSwitch'],
  },
  {
    module: 'AWSPowerShell',
    condition: 'in every image of Windows Server that Amazon makes',
    source:
      'https://docs.aws.amazon.com/ec2/latest/windows-ami-reference/windows-ami-versions.html',
    commands: ['Complete-ASLifecycleAction', 'Get-EC2InstanceMetadata', 'Get-SSMParameter'],
  },
  {
    module: 'hns.psm1',
    condition: 'where node.json says hnsModule, which a step downloads',
    source:
      'https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/hns.psm1',
    commands: ['Invoke-HNSRequest'],
  },
]

/** Programs of Windows that a script runs by itself; the module runs them through Invoke-Native. */
export const programs: readonly string[] = ['shutdown.exe']
