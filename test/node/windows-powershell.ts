// What the scripts use of Windows PowerShell 5.1 itself: its types, its commands' parameters, what these give.

/**
 * Types of PowerShell, written as in dotnet-framework.ts.
 * https://learn.microsoft.com/dotnet/api/system.management.automation?view=powershellsdk-1.1.0
 */
export const powershell: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    AllowEmptyCollectionAttribute: '',
    AllowEmptyStringAttribute: '',
    AllowNullAttribute: '',
    ApplicationInfo: 'Source',
    CmdletBindingAttribute: '',
    EngineIntrinsics: 'SessionState',
    ErrorRecord: 'Exception FullyQualifiedErrorId ScriptStackTrace',
    FunctionInfo: 'Parameters',
    OutputTypeAttribute: '',
    PSCmdlet: 'ShouldProcess/2',
    PSCommand: 'Clear/0',
    PSCustomObject: '',
    PSDataStreams: 'ClearStreams/0 Error',
    PSMemberInfo: 'Name Value',
    PSObject: 'Properties',
    ParameterAttribute: '',
    PathIntrinsics: 'GetUnresolvedProviderPathFromPSPath/1',
    PowerShell:
      'AddArgument/1 AddScript/1 BeginInvoke/0 BeginStop/2 Commands Create/0 EndInvoke/1 Streams',
    ScriptBlock: '',
    SessionState: 'LanguageMode Path',
    SwitchParameter: '',
    ValidatePatternAttribute: '',
    ValidateRangeAttribute: '',
    ValidateSetAttribute: '',
  }).map(([type, members]) => [
    `System.Management.Automation.${type}`,
    members.split(' ').filter((member) => member !== ''),
  ]),
)

/**
 * The interfaces of Windows Update, which are COM, or the classes that scripts create: https://learn.microsoft.com/windows/win32/api/wuapi/
 */
export const windowsUpdate: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'Microsoft.Update.Session':
      'CreateUpdateDownloader/0 CreateUpdateInstaller/0 CreateUpdateSearcher/0',
    IUpdateSearcher: 'Search/1',
    ISearchResult: 'Updates',
    'Microsoft.Update.UpdateColl': 'Add/1',
    IUpdate: 'AcceptEula/0 Categories EulaAccepted KBArticleIDs Title',
    ICategory: 'CategoryID',
    IUpdateDownloader: 'Download/0 Updates',
    IUpdateInstaller: 'Install/0 Updates',
    IInstallationResult: 'ResultCode',
  }).map(([type, members]) => [type, members.split(' ')]),
)

/** https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_intrinsic_members */
export const everything: readonly string[] = ['Count', 'Length', 'PSObject']

/** Properties of what Windows gives, which no type of .NET has: where they come from, and their names. */
export const outputs: readonly {
  readonly from: string
  readonly see: string
  readonly names: string
}[] = [
  {
    from: '$PSVersionTable',
    see: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_automatic_variables',
    names: 'PSEdition PSVersion',
  },
  {
    from: 'the metadata of Azure, Key Vault, Secret Manager',
    see: 'https://learn.microsoft.com/rest/api/keyvault/secrets/get-secret/get-secret',
    names: 'access_token data payload value',
  },
  {
    from: 'Get-ChildItem, Get-Item',
    see: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.management/get-childitem?view=powershell-5.1',
    names: 'PSIsContainer',
  },
  {
    from: 'Get-Acl',
    see: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.security/get-acl?view=powershell-5.1',
    names: 'Sddl',
  },
  {
    from: 'Get-FileHash',
    see: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/get-filehash?view=powershell-5.1',
    names: 'Hash',
  },
  {
    from: 'Get-CimInstance, Invoke-CimMethod',
    see: 'https://learn.microsoft.com/windows/win32/cimwin32prov/operating-system-classes',
    names:
      'CommandLine CreationDate Domain DriveType FileSystem FreeSpace LastBootUpTime PartOfDomain ProcessId ' +
      'ReturnValue Size',
  },
  {
    from: 'Get-CimInstance',
    see: 'https://learn.microsoft.com/windows/win32/secprov/win32-encryptablevolume',
    names: 'ProtectionStatus',
  },
  {
    from: 'Get-Process',
    see: 'https://learn.microsoft.com/dotnet/api/system.diagnostics.process?view=netframework-4.7.2',
    names: 'PriorityClass StartTime',
  },
  {
    from: 'Get-ItemProperty of HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Setup\\State',
    see: 'https://learn.microsoft.com/windows-hardware/manufacture/desktop/windows-setup-states',
    names: 'ImageState',
  },
  {
    from: 'Get-ItemProperty of values of Windows',
    see: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_registry_provider',
    names: 'CurrentBuildNumber Hostname ImagePath UBR',
  },
  {
    from: 'Get-WinEvent',
    see: 'https://learn.microsoft.com/dotnet/api/system.diagnostics.eventing.reader.eventlogrecord?view=netframework-4.7.2',
    names: 'IsEnabled Level RecordId',
  },
  {
    from: 'Get-ScheduledTaskInfo',
    see: 'https://learn.microsoft.com/powershell/module/scheduledtasks/get-scheduledtaskinfo',
    names: 'LastRunTime',
  },
  {
    from: 'crictl inspectp -o json',
    see: 'https://github.com/kubernetes/cri-api/blob/master/pkg/apis/runtime/v1/api.proto',
    names: 'ip',
  },
  {
    from: 'Get-RemoteAccess',
    see: 'https://learn.microsoft.com/previous-versions/windows/desktop/ramgmtpsprov/remoteaccess',
    names: 'DAStatus RoutingStatus VpnS2SStatus VpnStatus',
  },
  {
    from: 'Get-MpPreference',
    see: 'https://learn.microsoft.com/previous-versions/windows/desktop/defender/msft-mppreference',
    names: 'ExclusionPath ExclusionProcess',
  },
  {
    from: 'Get-NetFirewallRule and its filters',
    see: 'https://learn.microsoft.com/previous-versions/windows/desktop/wfascimprov/msft-netfirewallrule',
    names: 'Action Direction DisplayName Enabled Group LocalPort Profile Protocol RemoteAddress',
  },
  {
    from: 'Get-NetFirewallProfile',
    see: 'https://learn.microsoft.com/previous-versions/windows/desktop/wfascimprov/msft-netfirewallprofile',
    names: 'AllowLocalFirewallRules',
  },
  {
    from: 'Get-NetConnectionProfile',
    see: 'https://learn.microsoft.com/powershell/module/netconnection/get-netconnectionprofile',
    names: 'NetworkCategory',
  },
  {
    from: 'Get-NetIPAddress, Get-NetRoute',
    // That page lacks InterfaceMetric, which scripts for every Windows Server read.
    see: 'https://learn.microsoft.com/previous-versions/windows/desktop/legacy/hh872448(v=vs.85)',
    names:
      'AddressState IPAddress InterfaceAlias InterfaceIndex InterfaceMetric NextHop RouteMetric SkipAsSource',
  },
  {
    from: 'Get-NetTCPConnection',
    see: 'https://learn.microsoft.com/previous-versions/windows/desktop/nettcpipprov/msft-nettcpconnection',
    names: 'OwningProcess RemoteAddress RemotePort',
  },
  {
    from: 'Get-BgpPeer',
    see: 'https://learn.microsoft.com/powershell/module/remoteaccess/get-bgppeer',
    names: 'PeerIPAddress',
  },
  {
    from: 'Get-NetIPInterface',
    see: 'https://learn.microsoft.com/powershell/module/nettcpip/get-netipinterface',
    names: 'Forwarding',
  },
  {
    from: 'Get-Disk, Get-Partition, Get-PartitionSupportedSize',
    see: 'https://learn.microsoft.com/windows-hardware/drivers/storage/msft-partition',
    names: 'AllocatedSize DiskNumber SizeMax',
  },
  {
    from: 'Get-NetAdapter',
    see: 'https://learn.microsoft.com/windows-hardware/drivers/network/msft-netadapter',
    names: 'MacAddress Virtual',
  },
  {
    from: 'Get-ScheduledTask',
    see: 'https://learn.microsoft.com/windows/win32/taskschd/task-scheduler-objects',
    names:
      'Actions Arguments Delay Description DisallowStartIfOnBatteries Duration Execute Interval LogonType ' +
      'Priority RandomDelay Subscription ' +
      'Principal Repetition RunLevel Settings State StopIfGoingOnBatteries Triggers',
  },
  {
    from: 'Get-WindowsFeature, Install-WindowsFeature',
    see: 'https://learn.microsoft.com/powershell/module/servermanager/install-windowsfeature',
    names: 'ExitCode InstallState RestartNeeded Success',
  },
  {
    from: 'Get-HnsNetwork, Get-HnsEndpoint',
    see: 'https://learn.microsoft.com/powershell/module/hostnetworkingservice/',
    names: 'AddressPrefix ID IPAddress Name Subnets Type VirtualNetwork',
  },
  {
    from: 'Get-HnsEndpoint',
    see: 'https://github.com/microsoft/hcsshim/blob/main/internal/hns/hnsendpoint.go',
    names: 'IsRemoteEndpoint',
  },
  {
    from: 'Get-HnsPolicyList',
    see: 'https://github.com/microsoft/hcsshim/blob/main/internal/hns/hnspolicylist.go',
    names: 'ExternalPort Policies Protocol References VIPs',
  },
  {
    from: 'the extensions of a virtual switch in Get-HnsNetwork',
    see: 'https://github.com/antrea-io/antrea/blob/v2.7.0/hack/windows/Prepare-AntreaAgent.ps1',
    names: 'IsEnabled',
  },
  {
    from: 'Get-VMSwitch',
    see: 'https://learn.microsoft.com/powershell/module/hyper-v/get-vmswitch',
    names: 'SwitchType',
  },
]

/** https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_commonparameters?view=powershell-5.1 */
export const common: readonly string[] = ['ErrorAction', 'ErrorVariable', 'Confirm']

/** Values that a parameter takes in 5.1, of any command; later editions take more. */
export const values: Readonly<Record<string, readonly string[]>> = {
  // .../module/microsoft.powershell.management/get-content?view=powershell-5.1
  Encoding: ['Ascii', 'BigEndianUnicode', 'Byte', 'Default', 'Unicode', 'UTF32', 'UTF7', 'UTF8'],
  // .../about/about_commonparameters?view=powershell-5.1
  ErrorAction: ['Continue', 'Ignore', 'Inquire', 'SilentlyContinue', 'Stop', 'Suspend'],
  // .../module/microsoft.powershell.management/set-service?view=powershell-5.1
  StartupType: ['Automatic', 'Boot', 'Disabled', 'Manual', 'System'],
  // .../module/microsoft.powershell.utility/get-filehash?view=powershell-5.1
  Algorithm: ['MACTripleDES', 'MD5', 'RIPEMD160', 'SHA1', 'SHA256', 'SHA384', 'SHA512'],
}

/**
 * The parameters that the scripts give to each command. 5.1 has them, as
 * https://learn.microsoft.com/powershell/module/?view=powershell-5.1 and, for Windows' own modules,
 * https://learn.microsoft.com/powershell/module/?view=windowsserver2019-ps list them.
 */
export const parameters: Readonly<Record<string, string>> = {
  'Add-Member': 'Force InputObject MemberType Name Value',
  'Add-Type': 'AssemblyName',
  'Add-MpPreference': 'ExclusionPath ExclusionProcess',
  'ConvertFrom-Json': 'InputObject',
  'ConvertTo-Json': 'Depth InputObject',
  'Copy-Item': 'Destination Force LiteralPath',
  'Disable-ScheduledTask': 'TaskName',
  'Enable-ScheduledTask': 'TaskName',
  'Export-ModuleMember': 'Function',
  'ForEach-Object': 'Process',
  'Get-Acl': 'LiteralPath',
  'Get-ChildItem': 'Directory File Filter Force LiteralPath Name',
  'Get-CimClass': 'ClassName Namespace',
  'Get-CimInstance': 'ClassName Filter Namespace',
  'Get-Command': 'CommandType Name',
  'Get-Content': 'Encoding LiteralPath Raw TotalCount',
  'Get-FileHash': 'Algorithm LiteralPath',
  'Get-Item': 'Force LiteralPath',
  'Get-ItemProperty': 'LiteralPath',
  'Get-Module': 'Name',
  'Get-NetConnectionProfile': 'InterfaceIndex',
  'Get-NetFirewallPortFilter': 'PolicyStore',
  'Get-NetFirewallProfile': 'Name PolicyStore',
  'Get-NetFirewallRule': 'DisplayName Name PolicyStore',
  'Get-NetIPAddress': 'AddressFamily IPAddress',
  'Get-NetIPInterface': 'AddressFamily InterfaceIndex',
  'Get-NetRoute': 'DestinationPrefix',
  'Get-Disk': 'Number',
  'Get-Partition': 'DriveLetter',
  'Get-PartitionSupportedSize': 'DriveLetter',
  'Resize-Partition': 'DriveLetter Size',
  'Get-Process': 'Id Name',
  'Get-ScheduledTask': 'TaskName TaskPath',
  'Get-ScheduledTaskInfo': 'TaskName',
  'Get-Service': 'Name',
  'Get-WinEvent': 'FilterHashtable ListLog MaxEvents',
  'Get-WindowsFeature': 'Name',
  'Get-WindowsOptionalFeature': 'FeatureName Online',
  'Group-Object': 'NoElement',
  'Import-Module': 'Force Function Name',
  'Install-WindowsFeature': 'Name',
  // Of hns.psm1, whose source stands in commands.ts.
  'Invoke-HNSRequest': 'Action Data Id Method Type',
  'Invoke-CimMethod': 'Arguments InputObject MethodName',
  'Join-Path': 'ChildPath Path',
  // Of the provider WSMan: .../module/microsoft.wsman.management/about/about_wsman_provider?view=powershell-5.1
  'New-Item': 'Address CertificateThumbPrint Force ItemType Path Transport',
  'New-ItemProperty': 'Force LiteralPath Name PropertyType Value',
  'New-NetFirewallRule':
    'Action Direction DisplayName Enabled Group LocalPort Name Protocol RemoteAddress',
  'New-NetRoute': 'DestinationPrefix InterfaceIndex NextHop PolicyStore',
  'New-Object': 'ArgumentList ComObject TypeName',
  'New-CimInstance': 'CimClass ClientOnly',
  'New-ScheduledTaskAction': 'Argument Execute',
  'New-ScheduledTaskPrincipal': 'LogonType RunLevel UserId',
  'New-ScheduledTaskSettingsSet':
    'AllowStartIfOnBatteries DontStopIfGoingOnBatteries ExecutionTimeLimit MultipleInstances Priority',
  'New-ScheduledTaskTrigger': 'At AtStartup Once RandomDelay RepetitionInterval',
  'New-Service': 'BinaryPathName DependsOn Name StartupType',
  'New-SelfSignedCertificate': 'CertStoreLocation DnsName',
  'New-TimeSpan': 'Hours Minutes',
  'Move-Item': 'Destination Force LiteralPath',
  'Push-Location': 'LiteralPath',
  'Register-ScheduledTask': 'Action Description Force Principal Settings TaskName TaskPath Trigger',
  'Remove-Item': 'DeleteKey Force LiteralPath',
  'Remove-ItemProperty': 'LiteralPath Name',
  // https://docs.aws.amazon.com/powershell/latest/reference/items/Complete-ASLifecycleAction.html
  'Complete-ASLifecycleAction':
    'AutoScalingGroupName Force InstanceId LifecycleActionResult LifecycleHookName Region',
  // https://docs.aws.amazon.com/powershell/latest/reference/items/Get-EC2InstanceMetadata.html
  'Get-EC2InstanceMetadata': 'Category',
  // https://docs.aws.amazon.com/powershell/latest/reference/items/Get-SSMParameter.html
  'Get-SSMParameter': 'Name Region WithDecryption',
  'Invoke-RestMethod': 'Headers UseBasicParsing Uri',
  'Install-RemoteAccess': 'VpnType',
  'Uninstall-RemoteAccess': 'Force',
  'Remove-MpPreference': 'ExclusionPath ExclusionProcess',
  'Remove-NetFirewallRule': 'Name',
  'Remove-NetRoute': 'Confirm DestinationPrefix',
  'Remove-VMNetworkAdapter': 'ManagementOS SwitchName',
  'Remove-VMSwitch': 'Force Name',
  'Remove-WSManInstance': 'ResourceURI SelectorSet',
  'Resolve-Path': 'LiteralPath',
  'Restart-Service': 'Force Name',
  'Select-Object': 'ExpandProperty First Last Property Skip SkipLast Unique',
  'Select-String': 'Pattern Quiet',
  'Set-Acl': 'AclObject LiteralPath',
  'Set-Content': 'Encoding LiteralPath NoNewline Value',
  'Set-Item': 'Force LiteralPath Path Value',
  'Set-NetAdapterBinding': 'ComponentID Enabled Name',
  'Set-NetIPInterface': 'Forwarding',
  'Set-Service': 'Description Name StartupType',
  'Set-StrictMode': 'Off Version',
  'Split-Path': 'Leaf Parent Path',
  'Sort-Object': 'Descending Property',
  'Start-Process':
    'ArgumentList FilePath NoNewWindow PassThru RedirectStandardError RedirectStandardInput ' +
    'RedirectStandardOutput Wait',
  'Start-ScheduledTask': 'TaskName',
  'Start-Service': 'Name',
  'Start-Sleep': 'Milliseconds Seconds',
  'Stop-Process': 'Force Id',
  'Stop-Service': 'Force Name NoWait',
  'Test-Path': 'LiteralPath PathType',
  'Uninstall-WindowsFeature': 'Name',
  'Unregister-ScheduledTask': 'Confirm TaskName TaskPath',
  'Where-Object': 'FilterScript',
  'Write-Error': 'Message',
  'Write-Information': 'MessageData',
  'Write-Verbose': 'Message',
}
