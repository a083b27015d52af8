# openVSwitch: the virtual switch with Open vSwitch, which a network plugin's pod creates with its HNS network.

$script:StepKind['openVSwitch'] = @{ Noun = 'NodeOpenVSwitch'; Subject = 'network'; Reset = 'always' }

# The process that owns the database.
$script:OvsServer = 'ovsdb-server'

function Test-NodeOpenVSwitch {
    # False if an earlier boot has left a switch or a database, and nothing uses them yet.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $left = @(Get-NodeOvsLeftover -Step $Step)
    if ($left.Count -gt 0) { Write-NodeDetail -Text "left by the last boot: $($left -join ', ')" }
    $left.Count -eq 0
}

function Get-NodeOvsLeftover {
    # What must go before the plugin's pod starts. Nothing once the kubelet runs, which starts the pod, or Open
    # vSwitch itself: the pod would lose its database.
    # https://github.com/antrea-io/antrea/blob/v2.7.0/hack/windows/Prepare-AntreaAgent.ps1
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ((Test-NodeServiceActive -Name 'kubelet') -or (Test-NodeOvsOwned) -or (Test-NodeOvsActive)) { return }
    $network = Get-NodeHnsNetwork -Name $Step['network']
    if ($null -ne $network -and (Test-NodeOvsExtension -Network $network)) { return }
    $left = @(
        if ($null -ne (Get-NodeVirtualSwitch -Name $Step['network'])) { "the virtual switch $($Step['network'])" }
        if (Test-Path -LiteralPath (Get-NodeOvsDatabase -Step $Step)) { Get-NodeOvsDatabase -Step $Step }
    )
    # Alone it is from this boot: the pod copies it, with an older time, before it makes the others.
    if ($left.Count -gt 0 -and (Test-Path -LiteralPath $Step['conf'])) { $left += $Step['conf'] }
    $left
}

function Test-NodeOvsActive {
    # Whether Open vSwitch runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $null -ne (Get-Process -Name $script:OvsServer -ErrorAction SilentlyContinue)
}

function Test-NodeOvsOwned {
    # Whether an administrator has installed Open vSwitch as services.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $null -ne (Get-Service -Name $script:OvsServer -ErrorAction SilentlyContinue)
}

function Get-NodeVirtualSwitch {
    # All virtual switches, or one by name, or nothing: also before the commands of Hyper-V exist.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter()] [string] $Name = '')

    if ($null -eq (Get-Command -Name 'Get-VMSwitch' -ErrorAction SilentlyContinue)) { return }
    # With -Name, a switch that does not exist is an error like any other.
    Get-VMSwitch -ErrorAction Stop | Where-Object -FilterScript { $Name -ceq '' -or $_.Name -ceq $Name }
}

function Get-NodeOvsDatabase {
    # The path of the database with the bridge and its ports.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    "$($Step['folder'])\etc\openvswitch\conf.db"
}

function Set-NodeOpenVSwitch {
    # Removes what the last boot has left. The kubelet starts after this step.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'remove leftovers')) { return }
    Clear-NodePath -LiteralPath $Step['conf']
    # The agent keeps rules that exist, also those for an earlier pod CIDR of the node.
    # https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/agent/util/winfirewall/winfirewall.go
    Remove-NodeOvsRule -Step $Step
    Remove-NodeVirtualSwitch -Name $Step['network']
    # Last: with it, an interrupted removal is repeated.
    Clear-NodePath -LiteralPath (Get-NodeOvsDatabase -Step $Step)
}

function Remove-NodeVirtualSwitch {
    # Removes an HNS network with its virtual switch, gives the adapter back to the machine, and waits for its
    # address.
    # https://github.com/antrea-io/antrea/blob/v2.7.0/hack/windows/Clean-AntreaNetwork.ps1
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if ($null -eq (Get-NodeVirtualSwitch -Name $Name)) { return }
    if (-not $PSCmdlet.ShouldProcess($Name, 'remove virtual switch')) { return }
    Remove-VMNetworkAdapter -SwitchName $Name -ManagementOS -Confirm:$false -ErrorAction SilentlyContinue
    $network = Get-NodeHnsNetwork -Name $Name
    if ($null -ne $network) {
        $adapter = "$(Get-NodeHnsField -InputObject $network -Name 'NetworkAdapterName')"
        Remove-NodeHnsNetwork -Network $network
        # The binding of an adapter to a virtual switch.
        $binding = @{ Name = $adapter; ComponentID = 'vms_pp'; Enabled = $false }
        if ($adapter -ne '') { Set-NetAdapterBinding @binding -ErrorAction Stop }
    }
    if ($null -ne (Get-NodeVirtualSwitch -Name $Name)) { Remove-VMSwitch -Name $Name -Force -ErrorAction Stop }
    $script:Run.Facts.Clear()
    if (-not (Wait-NodeAddress)) { throw "the virtual switch $Name is gone, and the machine has no address" }
}

function Restore-NodeOpenVSwitch {
    # Removes what the plugin has left: its pods, with the servers of Open vSwitch, are removed before.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (Test-NodeOvsOwned) {
        Write-NodeDetail -Text 'kept: the switch, and Open vSwitch, which an administrator runs as services'
        return
    }
    if (Test-NodeOvsActive) {
        throw "$script:OvsServer still runs, in a pod that could not be removed: restart the machine and rerun"
    }
    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'remove Open vSwitch')) { return }
    Remove-NodeVirtualSwitch -Name $Step['network']
    Get-NetNat -ErrorAction SilentlyContinue | Where-Object -FilterScript { $_.Name -like $Step['nats'] } |
        Remove-NetNat -Confirm:$false -ErrorAction Stop
    Remove-NodeOvsRule -Step $Step
    $restart = @(Remove-NodeOvsDriver -Step $Step) -contains $true
    Restore-NodePathEntry -Step @{ path = "$($Step['folder'])\usr\bin" }
    Clear-NodePath -LiteralPath $Step['folder']
    Write-NodeDetail -Text 'the switch, its driver and its files are removed'
    $restart
}

function Remove-NodeOvsRule {
    # Removes the agent's firewall rules, which it creates again at its start.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['rules'], 'remove firewall rules')) { return }
    Get-NetFirewallRule -DisplayName $Step['rules'] -ErrorAction SilentlyContinue |
        Remove-NetFirewallRule -ErrorAction Stop
}

function Remove-NodeOvsDriver {
    # Uninstalls the driver of the switch's extension, and removes its package and its certificate; true if that
    # needs a restart.
    # https://github.com/antrea-io/antrea/blob/v2.7.0/hack/windows/Install-OVS.ps1
    # https://github.com/openvswitch/ovs/blob/07ee9d1e01cd/datapath-windows/ovsext/ovsext.inf
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess('ovsext', 'uninstall driver')) { return }
    if (Test-Path -LiteralPath 'HKLM:\SYSTEM\CurrentControlSet\Services\OVSExt') {
        $null = Invoke-Native -FilePath 'netcfg.exe' -ArgumentList '-u', 'ovsext'
    }
    # Windows copies the file of each package here, under another name.
    # https://learn.microsoft.com/windows-hardware/drivers/install/oem-inf-files
    $package = "$($Step['folder'])\driver\ovsext.inf"
    $digest = if (Test-Path -LiteralPath $package) { (Get-FileHash -LiteralPath $package -ErrorAction Stop).Hash }
    foreach ($file in @(Get-ChildItem -LiteralPath "$env:SystemRoot\INF" -Filter 'oem*.inf' -File)) {
        if ((Get-FileHash -LiteralPath $file.FullName -ErrorAction Stop).Hash -cne $digest) { continue }
        # https://learn.microsoft.com/windows-hardware/drivers/devtest/pnputil-return-values
        $said = Read-NodeNative -FilePath 'pnputil.exe' -ArgumentList '/delete-driver', $file.Name
        if ($said.Code -notin 0, 3010) { throw "pnputil.exe: exit code $($said.Code): $($said.Lines -join ' ')" }
        $said.Code -eq 3010
    }
    # Another certificate may be trusted for other drivers, too.
    $certificate = "$($Step['folder'])\driver\package.cer"
    if (-not $Step['testSigned'] -or -not (Test-Path -LiteralPath $certificate)) { return }
    $type = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
    $print = (New-Object -TypeName $type -ArgumentList (Resolve-NodePath -LiteralPath $certificate)).Thumbprint
    foreach ($store in 'ROOT', 'TrustedPublisher') {
        # https://learn.microsoft.com/windows/win32/seccrypto/system-store-locations
        $key = "HKLM:\SOFTWARE\Microsoft\SystemCertificates\$store\Certificates\$print"
        if (Test-Path -LiteralPath $key) { Remove-Item -LiteralPath $key -Force }
    }
}
