# Export-NodeReport: a node report in one JSON file and one zip.

function Export-NodeReport {
    # Writes a node report. Export-WinNodeReport.ps1 has the help.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [AllowEmptyString()] [string] $Destination = '',
        [Parameter()] [ValidateRange(0, 600)] [int] $Trace = 0
    )

    $open = @{ Path = $Path; AnyMemory = $true }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode 0 -Body {
        $folder = Initialize-NodeReportFolder -Destination $Destination
        $lock = Lock-NodeReport -Folder $folder
        try {
            $file = if ($Trace -gt 0) { Save-NodeReportTrace -Seconds $Trace } else { '' }
            Export-NodeReportPart -Folder $folder
            if ($file -ne '') { $script:Run.Message += "; $file" }
        } finally { if ($null -ne $lock) { $lock.Dispose() } }
        # Differences are part of the report; they do not make the report fail.
        $script:Run.Steps = @()
        $script:Run.Preflight = @()
    }
}

function Export-NodeReportPart {
    # Writes the parts that are read at once, then again with the slow parts, and reports missing parts.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Folder)

    $report = [ordered]@{}
    $head = [ordered]@{
        apiVersion = { 'winnode/v1' }
        kind       = { 'NodeReport' }
        name       = { $script:Run.Document['name'] }
        nodeDigest = { $script:Run.Document['nodeDigest'] }
        made       = { (Read-NodeClock).ToString('yyyy-MM-ddTHH:mm:ssZ', [cultureinfo]::InvariantCulture) }
    }
    Add-NodeReportPart -Report $report -Part $head
    Add-NodeReportPart -Report $report -Part $script:ReportPart
    $cut = ConvertTo-NodeReportJson -InputObject ([ordered]@{ error = 'the report ended before this was read' })
    $asked = [ordered]@{}
    foreach ($name in @($script:ReportAsked.Keys)) {
        $report[$name] = $cut
        $asked[$name] = { param($Name) Get-NodeReportCheck -Name $Name }
    }
    Write-NodeReport -Report $report -Folder $Folder
    Add-NodeReportPart -Report $report -Part $asked
    Write-NodeReport -Report $report -Folder $Folder

    $script:Run.Message = "$Folder\winnode-report.zip"
    $unread = @($script:Run.Unread | ForEach-Object -Process { $_['what'] })
    if ($unread.Count -gt 0) { $script:Run.Message += "; not in the report: $($unread -join ', ')" }
}
