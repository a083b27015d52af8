# Switches: what Windows does here is not known for sure, so that a scenario can have it either way.

# Name, what every scenario has, the other way, and what it is about. Where it is from stands in test/host/README.md.
$script:Switch = [ordered]@{
    AdapterLosesAddress = @{ Usual = $true; Other = $false; What = 'while HNS puts its switch on the adapter, the machine has no address' }
    AdapterLosesRoutes  = @{ Usual = $true; Other = $false; What = 'and loses its configured routes' }
    AddressIsMissing    = @{ Usual = $true; Other = $false; What = 'a network without a management address lacks the value, rather than having an empty one' }
    AddressMoves        = @{ Usual = $true; Other = $false; What = 'the address moves to the card vEthernet (...)' }
    BridgeSurvives      = @{ Usual = $true; Other = $false; What = 'a network of the type L2Bridge exists after a restart' }
    PausedIsSeen        = @{ Usual = $true; Other = $false; What = 'Start-Service sees the pause of nssm behind a program that ended at once, and not the moment before' }
    BridgeComesBack     = @{ Usual = $false; Other = $true; What = 'a removed one exists again after a restart of HNS' }
    ListsComeBack       = @{ Usual = 1; Other = 0; What = 'how many load balancers exist again soon after a restart of HNS' }
    ServiceIsRecovered  = @{ Usual = $true; Other = $false; What = 'the service manager starts a service again whose process has ended' }
    StartIsRecovered    = @{ Usual = $false; Other = $true; What = 'also one that ended before it had answered' }
    MakersOwn           = @{ Usual = $false; Other = $true; What = 'what an administrator makes is his own, not Administrators'' (NoDefaultAdminOwner)' }
    StopSeconds         = @{ Usual = 0; Other = 8; What = 'how long a service takes to stop' }
    PipeSeconds         = @{ Usual = 0.3; Other = 1.5; What = 'how long after its service containerd answers at its pipe' }
    TaskUserIsName      = @{ Usual = $true; Other = $false; What = 'a task gives the account SYSTEM by its name, not by its SID' }
    NothingIsNull       = @{ Usual = $true; Other = $false; What = 'Defender gives $null for an empty list, not an empty list' }
}

function Set-HostSwitch {
    # Turns a switch of this machine.
    param([string] $Name, [object] $Value)

    if (-not $script:Switch.Contains($Name)) { throw "there is no switch $Name" }
    $script:Machine.Switches[$Name] = $Value
}

function Get-HostSwitch {
    # How a switch of this machine stands.
    param([string] $Name)

    if (-not $script:Switch.Contains($Name)) { throw "there is no switch $Name" }
    if ($script:Machine.Switches.ContainsKey($Name)) { return $script:Machine.Switches[$Name] }
    $script:Switch[$Name].Usual
}

function Get-HostSwitchName {
    # Names of all switches.
    @($script:Switch.Keys)
}

function Set-HostOther {
    # Turns switches the other way.
    param([string[]] $Name)

    foreach ($one in $Name) { Set-HostSwitch -Name $one -Value $script:Switch[$one].Other }
}
