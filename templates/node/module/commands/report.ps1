# Export-NodeReport: a diagnosis in one JSON file and one zip.

# Checks that ask nobody else and wait for nothing: a report is also made where the network is what is wrong.
$script:ReportedCheck = @(
    'windowsServer', 'windowsBuild', 'revisionNotBetween', 'revisionAtLeast', 'volume', 'systemDrive', 'nodeName'
    'providerID', 'pendingRestart', 'pendingRename', 'filePresent', 'secureBootOff', 'otherEngines'
)

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

    Invoke-NodeRun -Open @{ Path = $Path } -Kind NodeResult -RestartExitCode 0 -Body {
        $phases = if ($script:Run.State['joined']) { $script:Phases } else { 'image' }
        foreach ($one in $phases) { Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
        Invoke-NodePreflight -Phase beforeJoin -Kind $script:ReportedCheck
        $folder = if ($Destination -ne '') { $Destination } else { $script:Run.Document['paths']['log'] }
        if ($Destination -ne '') { Initialize-NodeFolder -LiteralPath $folder } else {
            Initialize-NodeLogFolder -LiteralPath $folder
        }
        # It quotes logs that not everybody may read.
        $text = (ConvertTo-NodeJson -InputObject (Get-NodeReport)) + "`n"
        Write-NodeSecret -LiteralPath "$folder\winnode-report.json" -Text $text
        Write-NodeSecret -LiteralPath "$folder\winnode-report.zip" -Text ''
        # Windows' tar.exe writes a zip where the name asks for one, and into the file that is there.
        # https://github.com/libarchive/libarchive/blob/master/libarchive/archive_write_open_filename.c
        $null = Invoke-Native -FilePath 'tar.exe' -ArgumentList @(
            '-a', '-c', '-f', (Resolve-NodePath -LiteralPath "$folder\winnode-report.zip")
            '-C', (Resolve-NodePath -LiteralPath $folder), 'winnode-report.json'
        )
        $script:Run.Message = "$folder\winnode-report.zip"
        # What steps and checks are like is in the report; it is no failure of the report.
        $script:Run.Steps = @()
        $script:Run.Preflight = @()
    }
}
