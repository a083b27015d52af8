# The part of a report from the Windows event log.

function Get-NodeReportEvent {
    # The latest events of services, HNS and winnode. A log exists only if its feature is installed.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $filters = @(
        @{ LogName = 'System'; ProviderName = 'Service Control Manager' }
        @{ LogName = 'Application'; ProviderName = $script:EventSource }
        @{ LogName = 'Microsoft-Windows-Host-Network-Service-Admin' }
        @{ LogName = 'Microsoft-Windows-Hyper-V-Compute-Admin' }
    )
    $names = 'TimeCreated', 'ProviderName', 'Id', 'LevelDisplayName', 'Message'
    $script = {
        param($Filter)
        # Get-WinEvent reports an empty log as an error.
        $problem = $null
        Get-WinEvent -FilterHashtable $Filter -MaxEvents 200 -ErrorAction SilentlyContinue -ErrorVariable problem
        foreach ($one in $problem) {
            if ("$($one.FullyQualifiedErrorId)" -notlike 'NoMatchingEventsFound*') { throw $one }
        }
    }
    foreach ($filter in $filters) {
        $what = @{ What = "event log $($filter.LogName)"; Optional = $filter.LogName -ne 'System' }
        Get-NodeReportItem @what -Property $names -Script $script -ArgumentList $filter
    }
}
