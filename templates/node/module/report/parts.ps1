# The parts of a report: nothing gets in that is not named here.

# The parts of a report. Nothing gets in that is not named here, and each text goes through Hide-NodeSecret.
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
    facts         = { Get-NodeReportFact }
    state         = {
        $state = $script:Run.State
        [ordered]@{ joined = $state['joined']; restarts = @($state['restarts']); stopped = @($state['stopped']) }
    }
    services      = { , @(Get-NodeReportService) }
    programs      = { , @(Get-NodeReportProgram) }
    networks      = {
        $names = 'Name', 'Type', 'ID', 'ManagementIP', 'State'
        , @(Get-HnsNetwork | ConvertTo-NodeReportValue -Property $names)
    }
    endpoints     = {
        $names = 'Name', 'Type', 'ID', 'IPAddress', 'VirtualNetworkName', 'State'
        , @(Get-HnsEndpoint | ConvertTo-NodeReportValue -Property $names)
    }
    loadBalancers = {
        $names = 'ID', 'State', 'References'
        , @(Get-HnsPolicyList | ConvertTo-NodeReportValue -Property $names)
    }
    adapters      = {
        $names = 'Name', 'InterfaceDescription', 'Status', 'LinkSpeed'
        , @(Get-NetAdapter | ConvertTo-NodeReportValue -Property $names)
    }
    addresses     = {
        $names = 'IPAddress', 'PrefixLength', 'InterfaceAlias'
        , @(Get-NetIPAddress | ConvertTo-NodeReportValue -Property $names)
    }
    routes        = {
        $names = 'DestinationPrefix', 'NextHop', 'InterfaceAlias', 'RouteMetric'
        , @(Get-NetRoute | ConvertTo-NodeReportValue -Property $names)
    }
    volumes       = {
        $names = 'DeviceID', 'DriveType', 'FileSystem', 'Size', 'FreeSpace'
        , @(Get-CimInstance -ClassName Win32_LogicalDisk | ConvertTo-NodeReportValue -Property $names)
    }
    firewall      = { , @(Get-NodeReportFirewall) }
    symptoms      = { , @(Get-NodeSymptom) }
    events        = { , @(Get-NodeReportEvent) }
    configuration = { Get-NodeReportConfiguration }
    logs          = { Get-NodeReportLog }
}

function ConvertTo-NodeReportValue {
    # Only named properties of an object, as texts without secrets.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object] $InputObject,
        [Parameter(Mandatory = $true)] [string[]] $Property
    )

    process {
        $value = [ordered]@{}
        foreach ($name in $Property) {
            $found = $InputObject.PSObject.Properties[$name]
            if ($null -eq $found) { continue }
            $text = @($found.Value | ForEach-Object -Process { "$_" }) -join ', '
            $value[$name] = Hide-NodeSecret -Text $text
        }
        $value
    }
}

function Get-NodeReport {
    # All parts of a report; a part that cannot be read says why.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $report = [ordered]@{ apiVersion = 'winnode/v1'; kind = 'NodeReport'; name = $script:Run.Document['name'] }
    foreach ($part in @($script:ReportPart.Keys)) {
        try {
            $report[$part] = & $script:ReportPart[$part]
        } catch {
            $report[$part] = [ordered]@{ error = Hide-NodeSecret -Text $_.Exception.Message }
        }
    }
    $report['steps'] = $script:Run.Steps
    $report['preflight'] = $script:Run.Preflight
    $report['health'] = @(if ($script:Run.State['joined']) { Get-NodeHealth })
    $report
}
