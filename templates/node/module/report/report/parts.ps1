# The parts of a report: only what is listed here is collected.

# All strings pass through Hide-NodeSecret. Queries that may hang have a time limit.
$script:ReportPart = [ordered]@{
    windows       = {
        [ordered]@{
            product          = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'ProductName')"
            installationType = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'InstallationType')"
            build            = Get-NodeBuild
            revision         = Get-NodeRevision
            started          = Get-NodeReportStart
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
        , @(Get-NodeReportItem -What 'adapters' -Property $names -Script { Get-NetAdapter -ErrorAction Stop })
    }
    addresses     = {
        $names = 'IPAddress', 'PrefixLength', 'InterfaceAlias'
        , @(Get-NodeReportItem -What 'addresses' -Property $names -Script { Get-NetIPAddress -ErrorAction Stop })
    }
    routes        = {
        $names = 'DestinationPrefix', 'NextHop', 'InterfaceAlias', 'RouteMetric'
        , @(Get-NodeReportItem -What 'routes' -Property $names -Script { Get-NetRoute -ErrorAction Stop })
    }
    nameServers   = {
        $names = 'InterfaceAlias', 'AddressFamily', 'ServerAddresses'
        , @(Get-NodeReportItem -What 'nameServers' -Property $names -Script { Get-DnsClientServerAddress })
    }
    commandOutput = { Get-NodeReportProgramOutput }
    defender      = { , @(Get-NodeReportDefender) }
    networks      = {
        $names = 'Name', 'Type', 'ID', 'ManagementIP', 'State'
        , @(Get-NodeReportItem -What 'networks' -Property $names -Script { Get-HnsNetwork -ErrorAction Stop })
    }
    endpoints     = {
        $names = 'Name', 'Type', 'ID', 'IPAddress', 'VirtualNetworkName', 'State'
        , @(Get-NodeReportItem -What 'endpoints' -Property $names -Script { Get-HnsEndpoint -ErrorAction Stop })
    }
    loadBalancers = {
        $names = 'ID', 'State', 'References'
        $script = { Get-HnsPolicyList -ErrorAction Stop }
        , @(Get-NodeReportItem -What 'loadBalancers' -Property $names -Script $script)
    }
    containers    = { Get-NodeReportContainer }
}
