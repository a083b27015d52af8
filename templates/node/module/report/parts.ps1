# The parts of a report: nothing gets in that is not named here.

# Each text goes through Hide-NodeSecret. What may ask something that hangs has an end of its own.
$script:ReportPart = [ordered]@{
    windows       = {
        [ordered]@{
            product          = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'ProductName')"
            installationType = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'InstallationType')"
            build            = Get-NodeBuild
            revision         = Get-NodeRevision
            started          = Get-NodeBootTime
        }
    }
    powershell    = {
        [ordered]@{ version = "$($PSVersionTable.PSVersion)"; edition = "$($PSVersionTable.PSEdition)" }
    }
    state         = {
        $state = $script:Run.State
        [ordered]@{
            joined    = $state['joined']
            suspended = Get-NodeSuspension
            restarts  = @($state['restarts'])
            stopped   = @($state['stopped'])
        }
    }
    services      = { , @(Get-NodeReportService) }
    programs      = { , @(Get-NodeReportProgram) }
    configuration = { Get-NodeReportConfiguration }
    cni           = { , @(Get-NodeReportFolder) }
    logs          = { Get-NodeReportLog }
    symptoms      = { , @(Get-NodeSymptom) }
    events        = { , @(Get-NodeReportEvent) }
    memory        = { , @(Get-NodeReportMemory) }
    volumes       = {
        $names = 'DeviceID', 'DriveType', 'FileSystem', 'Size', 'FreeSpace'
        $script = { Get-CimInstance -ClassName Win32_LogicalDisk }
        , @(Get-NodeReportItem -What 'volumes' -Property $names -Script $script)
    }
    adapters      = {
        $names = 'Name', 'InterfaceDescription', 'Status', 'LinkSpeed'
        , @(Get-NodeReportItem -What 'adapters' -Property $names -Script { Get-NetAdapter })
    }
    addresses     = {
        $names = 'IPAddress', 'PrefixLength', 'InterfaceAlias'
        , @(Get-NodeReportItem -What 'addresses' -Property $names -Script { Get-NetIPAddress })
    }
    routes        = {
        $names = 'DestinationPrefix', 'NextHop', 'InterfaceAlias', 'RouteMetric'
        , @(Get-NodeReportItem -What 'routes' -Property $names -Script { Get-NetRoute })
    }
    nameServers   = {
        $names = 'InterfaceAlias', 'AddressFamily', 'ServerAddresses'
        , @(Get-NodeReportItem -What 'nameServers' -Property $names -Script { Get-DnsClientServerAddress })
    }
    talk          = { Get-NodeReportProgramTalk }
    defender      = { , @(Get-NodeReportDefender) }
    networks      = {
        $names = 'Name', 'Type', 'ID', 'ManagementIP', 'State'
        , @(Get-NodeReportItem -What 'networks' -Property $names -Script { Get-HnsNetwork })
    }
    endpoints     = {
        $names = 'Name', 'Type', 'ID', 'IPAddress', 'VirtualNetworkName', 'State'
        , @(Get-NodeReportItem -What 'endpoints' -Property $names -Script { Get-HnsEndpoint })
    }
    loadBalancers = {
        $names = 'ID', 'State', 'References'
        , @(Get-NodeReportItem -What 'loadBalancers' -Property $names -Script { Get-HnsPolicyList })
    }
    containers    = { Get-NodeReportContainer }
}

# What asks as a run asks: nothing ends it where Windows does not answer, so the others are on the disk before.
$script:ReportTest = [ordered]@{
    facts     = { Get-NodeReportFact }
    firewall  = { , @(Get-NodeReportFirewall) }
    steps     = { , @(Get-NodeReportStep) }
    preflight = {
        Invoke-NodePreflight -Phase beforeJoin -Kind $script:ReportedCheck
        , @($script:Run.Preflight)
    }
    health    = { , @(if ($script:Run.State['joined']) { Get-NodeHealth }) }
}

# Checks that ask nobody else and wait for nothing: a report is also made where the network is what is wrong.
$script:ReportedCheck = @(
    'windowsServer', 'windowsBuild', 'revisionNotBetween', 'revisionAtLeast', 'volume', 'systemDrive', 'nodeName'
    'providerID', 'pendingRestart', 'pendingRename', 'filePresent', 'secureBootOff', 'otherEngines'
)

function Get-NodeReportStep {
    # What each step finds, of a member in all phases.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $phases = if ($script:Run.State['joined']) { $script:Phases } else { 'image' }
    foreach ($one in $phases) { $null = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
    $script:Run.Steps
}
