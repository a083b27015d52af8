# Export-NodeReport: a diagnosis in one JSON file and one zip.

function Export-NodeReport {
    <#
        .SYNOPSIS
            Collects what a diagnosis needs into one JSON file and one zip, without secrets.
    #>
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        # Folder for the report; the log folder where none is given.
        [Parameter()] [AllowEmptyString()] [string] $Destination = ''
    )

    $open = @{ Path = $Path; AnyMemory = $true }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode 0 -Body {
        $folder = Initialize-NodeReportFolder -Destination $Destination
        $lock = Lock-NodeReport -Folder $folder
        try { Export-NodeReportPart -Folder $folder } finally { if ($null -ne $lock) { $lock.Dispose() } }
        # What steps and checks are like is in the report; it is no failure of the report.
        $script:Run.Steps = @()
        $script:Run.Preflight = @()
    }
}

function Export-NodeReportPart {
    # Writes what is read at once, then with it what takes its time, and tells what is not in it.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Folder)

    $report = [ordered]@{}
    $head = [ordered]@{
        apiVersion = { 'winnode/v1' }
        kind       = { 'NodeReport' }
        name       = { $script:Run.Document['name'] }
        made       = { (Read-NodeClock).ToString('yyyy-MM-ddTHH:mm:ssZ', [cultureinfo]::InvariantCulture) }
    }
    Add-NodeReportPart -Report $report -Part $head
    Add-NodeReportPart -Report $report -Part $script:ReportPart
    $cut = ConvertTo-NodeReportJson -InputObject ([ordered]@{ error = 'the report ended before this was read' })
    $asked = [ordered]@{}
    foreach ($name in @($script:ReportAsked.Keys)) {
        $report[$name] = $cut
        $asked[$name] = { param($Name) Get-NodeReportAsked -Name $Name }
    }
    Write-NodeReport -Report $report -Folder $Folder
    Add-NodeReportPart -Report $report -Part $asked
    Write-NodeReport -Report $report -Folder $Folder

    $script:Run.Message = "$Folder\winnode-report.zip"
    $unread = @($script:Run.Unread | ForEach-Object -Process { $_['what'] })
    if ($unread.Count -gt 0) { $script:Run.Message += "; not in it: $($unread -join ', ')" }
}
