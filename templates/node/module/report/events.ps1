# The part of a report that the logs of Windows hold.

function Get-NodeReportEvent {
    # The latest events of services, of the networking service and of winnode. A log is there once its feature is.
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
        # An empty log is an error to it.
        $problem = $null
        Get-WinEvent -FilterHashtable $Filter -MaxEvents 200 -ErrorAction SilentlyContinue -ErrorVariable problem
        foreach ($one in $problem) {
            if ("$($one.FullyQualifiedErrorId)" -notlike 'NoMatchingEventsFound*') { throw $one }
        }
    }
    foreach ($filter in $filters) {
        $what = @{ What = "the log of events $($filter.LogName)"; Optional = $filter.LogName -ne 'System' }
        Get-NodeReportItem @what -Property $names -Script $script -ArgumentList $filter
    }
}
