# timeService: the NTP servers of the time service.

$script:StepKind['timeService'] = @{ Noun = 'NodeTimeService'; Subject = 'servers'; Key = @(); Reset = 'restore' }

function Get-NodeExpectedTime {
    # The peers as the time service stores them; 0x8 is client mode.
    # https://learn.microsoft.com/troubleshoot/windows-server/active-directory/w32time-registry-settings
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    @($Step['servers'] | ForEach-Object -Process { "$_,0x8" }) -join ' '
}

function Test-NodeTimeService {
    # True if the time service uses these servers, starts automatically, has no trigger events that stop it, and
    # runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $peers = Get-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'NtpServer'
    $type = Get-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'Type'
    $start = Get-NodeRegistryData -Key "$script:Services\W32Time" -Name 'Start'
    $runs = Test-NodeServiceActive -Name 'W32Time'
    $events = Test-NodeTimeTrigger
    $same = $peers -eq (Get-NodeExpectedTime -Step $Step) -and $type -eq 'NTP' -and $start -eq 2 -and $runs
    if (-not $same) { Write-NodeDetail -Text "peers '$peers', type $type, start $start, running: $runs" }
    if ($events) { Write-NodeDetail -Text 'trigger events start and stop the service' }
    $same -and -not $events
}

function Set-NodeTimeService {
    # Sets the servers and restarts the service.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess('W32Time', 'set time servers')) { return }
    $key = "$script:Services\W32Time\Parameters"
    Write-NodeRegistryData -Key $key -Name 'NtpServer' -Type 'String' -Value (Get-NodeExpectedTime -Step $Step)
    Write-NodeRegistryData -Key $key -Name 'Type' -Type 'String' -Value 'NTP'
    Set-Service -Name 'W32Time' -StartupType Automatic
    if (Test-NodeTimeTrigger) {
        $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList 'triggerinfo', 'W32Time', 'delete'
    }
    Restart-NodeService -Name 'W32Time'
}

function Backup-NodeTimeService {
    # The previous peers, type, start type, trigger events and status.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    [ordered]@{
        peers  = Backup-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'NtpServer'
        type   = Backup-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'Type'
        start  = Get-NodeRegistryData -Key "$script:Services\W32Time" -Name 'Start'
        events = Test-NodeTimeTrigger
        runs   = Test-NodeServiceActive -Name 'W32Time'
    }
}

function Restore-NodeTimeService {
    # Restores peers, type and start type, and the default trigger events of Windows.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess("$($Step['servers'])", 'restore time servers')) { return }
    $key = "$script:Services\W32Time\Parameters"
    Restore-NodeRegistryData -Key $key -Name 'NtpServer' -Before $Before['peers']
    Restore-NodeRegistryData -Key $key -Name 'Type' -Before $Before['type']
    Set-Service -Name 'W32Time' -StartupType (ConvertTo-NodeStartMode -Start $Before['start'])
    if ($Before['events'] -and -not (Test-NodeTimeTrigger)) {
        $arguments = 'triggerinfo', 'W32Time', 'start/domainjoin', 'stop/domainleave'
        $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList $arguments
    }
    if ($Before['runs']) { Restart-NodeService -Name 'W32Time' } else { Close-NodeService -Name 'W32Time' }
}
