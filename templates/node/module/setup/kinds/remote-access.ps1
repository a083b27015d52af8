# remoteAccess: the router of Remote Access, and its service.

# A network plugin configures BGP in it, and restarts the service.
# https://learn.microsoft.com/powershell/module/remoteaccess/install-remoteaccess
# https://docs.rke2.io/networking/windows_bgp
$script:StepKind['remoteAccess'] = @{ Noun = 'NodeRemoteAccess'; Subject = 'vpnType'; Reset = 'restore' }

function Get-NodeRemoteAccess {
    # What of Remote Access is installed: each status is Installed or Uninstalled.
    # https://learn.microsoft.com/previous-versions/windows/desktop/ramgmtpsprov/remoteaccess
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $found = Get-RemoteAccess -ErrorAction Stop
    [ordered]@{
        routing = "$($found.RoutingStatus)"
        others  = @(
            if ("$($found.DAStatus)" -eq 'Installed') { 'DAStatus' }
            if ("$($found.VpnStatus)" -eq 'Installed') { 'VpnStatus' }
            if ("$($found.VpnS2SStatus)" -eq 'Installed') { 'VpnS2SStatus' }
        )
    }
}

function Test-NodeRemoteAccess {
    # True if the router is installed and its service runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $status = (Get-NodeRemoteAccess)['routing']
    $lack = if ($status -ne 'Installed') {
        "$($Step['vpnType']) is $status"
    } elseif (-not (Test-NodeServiceActive -Name 'RemoteAccess')) {
        'the service RemoteAccess does not run'
    }
    if ($null -ne $lack) { Write-NodeDetail -Text $lack }
    $null -eq $lack
}

function Set-NodeRemoteAccess {
    # Installs the router, and starts its service, which does not always start by itself.
    # https://learn.microsoft.com/powershell/module/remoteaccess/install-remoteaccess
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['vpnType'], 'install Remote Access')) { return }
    if ((Get-NodeRemoteAccess)['routing'] -ne 'Installed') {
        $null = Install-RemoteAccess -VpnType $Step['vpnType'] -ErrorAction Stop
    }
    Open-NodeService -Name 'RemoteAccess' -Seconds $script:Limit.ServiceSeconds
}

function Backup-NodeRemoteAccess {
    # What was installed before.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    Get-NodeRemoteAccess
}

function Restore-NodeRemoteAccess {
    # Removes the router, unless it is older than winnode's, or another part of Remote Access is installed, which
    # would go, too.
    # https://learn.microsoft.com/powershell/module/remoteaccess/uninstall-remoteaccess
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($Before['routing'] -eq 'Installed') { return }
    $now = Get-NodeRemoteAccess
    if ($now['others'].Count -gt 0) {
        Write-NodeDetail -Text "kept: Remote Access has $($now['others'] -join ', ') installed, too"
        return
    }
    if ($now['routing'] -ne 'Installed') { return }
    if ($PSCmdlet.ShouldProcess($Step['vpnType'], 'uninstall Remote Access')) {
        $null = Uninstall-RemoteAccess -Force -ErrorAction Stop
    }
}
