# Antrea's DaemonSet with containers for Open vSwitch: what it leaves on the machine, in the order of its containers.
# build/charts/antrea-windows at v2.7.0 of antrea-io/antrea, here and below.

$script:AntreaNetwork = 'antrea-hnsnetwork'
$script:AntreaPod = 'antrea-agent-windows'
$script:AntreaConf = 'C:\etc\cni\net.d\10-antrea.conflist'
$script:OvsDatabase = 'C:\openvswitch\etc\openvswitch\conf.db'

function Test-HostAntrea {
    # Whether the cluster has Antrea.
    $script:Machine.DaemonSet -is [System.Collections.IDictionary] -and $script:Machine.DaemonSet['Name'] -eq $script:AntreaNetwork
}

function Start-HostAntrea {
    # The kubelet starts the pod once: it has the network of the node, and needs no conf. Its containers start again with
    # each sandbox.
    if (-not (Test-HostPod -Name $script:AntreaPod)) {
        Add-HostPod -Name $script:AntreaPod -HostNetwork -Namespace 'kube-system'
        # The kubelet writes the ConfigMap's volume once: kubernetes, pkg/volume/util/atomic_writer.go shouldWritePayload.
        $script:Machine.DaemonSet['Volume'] = Get-HostTime
        $script:Machine.DaemonSet['Sandbox'] = $null
    }
    $pod = @($script:Machine.Pods | Where-Object -FilterScript { $_.metadata.name -eq $script:AntreaPod })[0]
    $made = $script:Machine.DaemonSet
    if ($pod.state -ne 'SANDBOX_READY' -or $made['Sandbox'] -eq $pod.metadata.attempt) { return }
    $made['Sandbox'] = $pod.metadata.attempt
    Add-HostDue -After 5 -Name 'antrea-install' -Subject ''
}

function Test-HostAntreaPod {
    # Whether its pod runs.
    (Test-HostAntrea) -and @($script:Machine.Pods | Where-Object -FilterScript { $_.metadata.name -eq $script:AntreaPod -and $_.state -eq 'SANDBOX_READY' }).Count -gt 0
}

$script:Happening['antrea-install'] = {
    # The init containers. conf/Install-WindowsCNI.ps1, and hack/windows/Install-OVS.ps1 with -InstallUserspace $false.
    if (-not (Test-HostAntreaPod)) { return }
    $account = 'C:\var\run\secrets\kubernetes.io\serviceaccount'
    $null = New-Item -ItemType Directory -Path 'C:\etc\cni\net.d', 'C:\opt\cni\bin', 'C:\k\antrea\bin', 'C:\var\log\antrea', $account, 'C:\openvswitch\driver', 'C:\openvswitch\usr\bin' -Force
    foreach ($file in 'C:\opt\cni\bin\antrea.exe', 'C:\opt\cni\bin\host-local.exe', 'C:\k\antrea\bin\antctl.exe', "$account\token", "$account\ca.crt", 'C:\openvswitch\usr\bin\ovs-vsctl.exe', 'C:\openvswitch\driver\OVSExt.sys') {
        Set-Content -LiteralPath $file -Value 'antrea'
    }
    Set-Content -LiteralPath $script:AntreaConf -Value '{"name":"antrea","plugins":[{"type":"antrea"}]}'
    # Copied from the volume, with its time.
    (Get-Item -LiteralPath $script:AntreaConf).LastWriteTimeUtc = $script:Machine.DaemonSet['Volume']
    $services = 'SYSTEM\CurrentControlSet\Services\OVSExt'
    if ($null -eq [WinNodeHost.Registry]::Get($services, 'ImagePath')) {
        Set-Content -LiteralPath 'C:\openvswitch\driver\ovsext.inf' -Value '; ovsext.inf'
        $name = [System.Security.Cryptography.X509Certificates.X500DistinguishedName]::new('CN=Test')
        $request = [System.Security.Cryptography.X509Certificates.CertificateRequest]::new($name, [System.Security.Cryptography.ECDsa]::Create(), 'SHA256')
        $signer = $request.CreateSelfSigned([DateTimeOffset]::UtcNow, [DateTimeOffset]::UtcNow.AddDays(1))
        Set-Content -LiteralPath 'C:\openvswitch\driver\package.cer' -Value $signer.RawData -AsByteStream
        Copy-Item -LiteralPath 'C:\openvswitch\driver\ovsext.inf' -Destination 'C:\Windows\INF\oem7.inf'
        foreach ($store in 'ROOT', 'TrustedPublisher') { [WinNodeHost.Registry]::Set("SOFTWARE\Microsoft\SystemCertificates\$store\Certificates\$($signer.Thumbprint)", 'Blob', 'Binary', [byte[]]@(1)) }
        [WinNodeHost.Registry]::Set($services, 'ImagePath', 'ExpandString', '\SystemRoot\system32\drivers\OVSExt.sys')
    }
    $environment = 'SYSTEM\CurrentControlSet\Control\Session Manager\Environment'
    $entries = "$([WinNodeHost.Registry]::Get($environment, 'Path'))".Split(';')
    if ($entries -notcontains 'C:\openvswitch\usr\bin') {
        [WinNodeHost.Registry]::Set($environment, 'Path', 'ExpandString', ($entries + 'C:\openvswitch\usr\bin') -join ';')
    }
    Add-HostDue -After 5 -Name 'antrea-ovs' -Subject ''
}

$script:Happening['antrea-ovs'] = {
    # conf/ovs/Run-AntreaOVS.ps1: the database is made only where there is none.
    if (-not (Test-HostAntreaPod)) { return }
    $made = $script:Machine.DaemonSet
    if (-not (Test-Path -LiteralPath $script:OvsDatabase)) {
        $null = New-Item -ItemType Directory -Path 'C:\openvswitch\etc\openvswitch' -Force
        Set-Content -LiteralPath $script:OvsDatabase -Value ''
    }
    $made['Server'] = $made['Sandbox']
    Add-HostDue -After 10 -Name 'antrea-agent' -Subject ''
}

function Test-HostOvs {
    # Whether ovsdb-server runs, in the pod.
    (Test-HostAntreaPod) -and $script:Machine.DaemonSet['Server'] -eq $script:Machine.DaemonSet['Sandbox'] -and $null -ne $script:Machine.DaemonSet['Server']
}

$script:Happening['antrea-agent'] = {
    # pkg/agent/agent_windows.go. A network that exists is used again. A virtual adapter ends the agent, which starts again.
    # "The stale OVS bridge and ports should be removed" after a restart: docs/windows.md.
    if (-not (Test-HostOvs)) { return }
    $machine = $script:Machine
    if (-not (Test-Path -LiteralPath $script:OvsDatabase)) { return $machine.Events += 'antrea-agent: the database of Open vSwitch is gone' }
    $network = $machine.Networks | Where-Object -FilterScript { $_.Name -eq $script:AntreaNetwork } | Select-Object -First 1
    $ports = "$(Get-Content -LiteralPath $script:OvsDatabase -Raw)".Trim()
    $problem = if ($null -eq $network -and (@($machine.VMSwitches) -contains $script:AntreaNetwork -or $machine.UplinkSwitch -or @($machine.Networks | Where-Object -FilterScript { $_.Type -in 'Overlay', 'L2Bridge' }).Count -gt 0)) {
        'uplink "vEthernet (Ethernet)" is not a physical adapter'
    } elseif ($null -eq $network -and $ports -ne '') {
        'the bridge br-int has ports of a network that is gone'
    }
    if ($problem) {
        $machine.Events += "antrea-agent: $problem"
        return Add-HostDue -After 60 -Name 'antrea-agent' -Subject ''
    }
    if ($null -eq $network) {
        Add-HostNetwork -Name $script:AntreaNetwork -Type 'Transparent' -Subnet $machine.PodSubnet
        $network = $machine.Networks[-1]
        # pkg/agent/util/net_windows.go CreateHNSNetwork gives it.
        $network.ManagementIP = $machine.Address
        $machine.VMSwitches = @($machine.VMSwitches) + $script:AntreaNetwork
    }
    $network.Extension = $true
    Set-Content -LiteralPath $script:OvsDatabase -Value 'br-int Ethernet antrea-gw0'
    # pkg/agent/route/route_windows.go
    $machine.Nats = @($machine.Nats | Where-Object -FilterScript { $_ -notlike 'antrea-nat*' }) + @('antrea-nat', 'antrea-nat-nodeport')
    # A rule of that name is kept, also with another address: pkg/agent/util/winfirewall/winfirewall.go addIPRule
    foreach ($way in 'from', 'to') {
        if ($machine.Rules.ContainsKey("{antrea-$way}")) { continue }
        $machine.Rules["{antrea-$way}"] = @{
            Name = "{antrea-$way}"; DisplayName = "Antrea: accept packets $way local Pods"; Group = ''; Direction = $(if ($way -eq 'from') { 'Inbound' } else { 'Outbound' }); Action = 'Allow'
            Enabled = 'True'; Protocol = 'Any'; LocalPort = 'Any'; RemoteAddress = @($machine.PodSubnet -replace '/24$', '/255.255.255.0')
        }
    }
}

function Test-HostAntreaAgent {
    # Whether the agent has come so far that it serves.
    (Test-HostOvs) -and @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $script:AntreaNetwork }).Count -gt 0
}

function Assert-HostAntreaDelete {
    # A sandbox that goes: the plugin asks the agent at its pipe. pkg/cni/client.go
    if (-not (Test-HostAntrea)) { return }
    if (-not (Test-Path -LiteralPath $script:AntreaConf)) { throw 'cni config not initialized' }
    if (-not (Test-HostOvs) -or $script:Machine.DaemonSet['AgentFails']) { throw 'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: open \\.\pipe\cnisock: The system cannot find the file specified."' }
}

function Stop-HostAntreaPod {
    # A rollout: the preStop hook disables the extension, and the network stays. conf/ovs/VMSwitchExtension-AntreaAgent.ps1
    foreach ($network in $script:Machine.Networks) { if ($network.Name -eq $script:AntreaNetwork) { $network.Extension = $false } }
    Stop-HostSandbox -Pod @($script:Machine.Pods | Where-Object -FilterScript { $_.metadata.name -eq $script:AntreaPod })[0]
}

function HostGet-VMSwitch {
    [CmdletBinding()]
    param()

    Assert-HostHealth -On 'Get-VMSwitch'
    foreach ($name in @(@($script:Machine.VMSwitches) + $script:Machine.UplinkSwitch | Where-Object -FilterScript { $_ })) { [pscustomobject]@{ Name = $name; SwitchType = 'External' } }
}

function HostRemove-VMNetworkAdapter {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $SwitchName, [switch] $ManagementOS)

    if (-not $ManagementOS) { throw 'Parameter set cannot be resolved using the specified named parameters.' }
    Add-HostCall -Text "Remove-VMNetworkAdapter $SwitchName"
}

function HostRemove-VMSwitch {
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param([string] $Name, [switch] $Force)

    if (-not $Force) { throw 'Windows PowerShell is in NonInteractive mode. Read and Prompt functionality is not available.' }
    Add-HostCall -Text "Remove-VMSwitch $Name"
    Assert-HostHealth -On 'Remove-VMSwitch'
    $script:Machine.VMSwitches = @($script:Machine.VMSwitches | Where-Object -FilterScript { $_ -ne $Name })
    # The adapter gets its address back, somewhat later.
    $script:Machine.Moving = Get-HostSwitch -Name 'AdapterLosesAddress'
    Add-HostDue -After $script:Machine.Network.Interface -Name 'hns-interface' -Subject $Name
}

function Set-NetAdapterBinding {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $Name, [string] $ComponentID, [bool] $Enabled)

    if ($Name -ne 'Ethernet') { throw "No MSFT_NetAdapterBindingSettingData objects found with property 'Name' equal to '$Name'." }
    Add-HostCall -Text "Set-NetAdapterBinding $Name $ComponentID $Enabled"
}

function Get-NetNat {
    [CmdletBinding()]
    param()

    foreach ($name in @($script:Machine.Nats)) { [pscustomobject]@{ Name = $name } }
}

function Remove-NetNat {
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param([Parameter(ValueFromPipeline = $true)] [object] $InputObject)

    process {
        Add-HostCall -Text "Remove-NetNat $($InputObject.Name)"
        $script:Machine.Nats = @($script:Machine.Nats | Where-Object -FilterScript { $_ -ne $InputObject.Name })
    }
}

Add-HostProgram -Name 'netcfg' -Body {
    # The switch's extension cannot go while a switch uses it, nor where it is not installed.
    param($Call)
    if ("$($Call.Argument)" -ne '-u ovsext') { throw "nothing stands in for netcfg $($Call.Argument)" }
    Add-HostCall -Text 'netcfg -u ovsext'
    $there = [WinNodeHost.Registry]::Exists('SYSTEM\CurrentControlSet\Services\OVSExt')
    if (-not $there -or @($script:Machine.VMSwitches) -contains $script:AntreaNetwork) { $Call.Code = 1; $Call.Out += 'Uninstallation failed.'; return }
    [WinNodeHost.Registry]::Remove('SYSTEM\CurrentControlSet\Services\OVSExt')
}

Add-HostProgram -Name 'pnputil' -Body {
    # https://learn.microsoft.com/windows-hardware/drivers/devtest/pnputil-command-syntax
    # 3010: done, and a restart is required. https://learn.microsoft.com/windows-hardware/drivers/devtest/pnputil-return-values
    param($Call)
    $verb, $name = $Call.Argument
    if ($verb -ne '/delete-driver' -or $name -notmatch '^oem\d+\.inf$') { throw "nothing stands in for pnputil $($Call.Argument)" }
    Add-HostCall -Text "pnputil /delete-driver $name"
    if ([WinNodeHost.Registry]::Exists('SYSTEM\CurrentControlSet\Services\OVSExt')) { $Call.Code = 5; $Call.Out += 'One or more devices are presently installed using the specified INF.'; return }
    Remove-Item -LiteralPath "C:\Windows\INF\$name"
    if ($script:Machine['DriverStays']) { $Call.Code = 3010 }
}
