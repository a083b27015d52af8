# The folder of a report, and who may write into it now.

function Initialize-NodeReportFolder {
    # The folder that is asked for, or the one of the log, for SYSTEM and Administrators only.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Destination)

    if ($Destination -ne '') {
        # The person's own folder, wherever it is: its parents may belong to others.
        $null = [System.IO.Directory]::CreateDirectory((Resolve-NodePath -LiteralPath $Destination))
        return $Destination
    }
    $folder = $script:Run.Document['paths']['log']
    # Its list would be given to whatever others make of it.
    $why = @(Get-NodeReportDistrust -LiteralPath $folder)
    if ($why.Count -gt 0) {
        $script:Run.Refused = $true
        throw "others may have made ${folder}: $($why -join ', '); -Destination names another folder"
    }
    Initialize-NodeLogFolder -LiteralPath $folder
    $folder
}

function Get-NodeReportDistrust {
    # Why a folder may be exchanged by others; nothing where it may not.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    foreach ($path in @(Get-NodeWay -LiteralPath $LiteralPath)) { Get-NodeDistrust -LiteralPath $path }
}

function Lock-NodeReport {
    # Keeps another report out of a folder until this one is written: a file that only this process may open, and
    # that goes with it. Where others may put a link in its place there is none.
    # https://learn.microsoft.com/dotnet/api/system.io.fileoptions
    [CmdletBinding()]
    [OutputType([System.IO.Stream])]
    param([Parameter(Mandatory = $true)] [string] $Folder)

    try {
        if (@(Get-NodeReportDistrust -LiteralPath $Folder).Count -gt 0) { return }
    } catch {
        # A share that does not tell its lists.
        $problem = $_
        Write-Verbose -Message $problem.Exception.Message
        return
    }
    $lock = "$Folder\winnode-report.lock"
    try {
        [System.IO.File]::Create((Resolve-NodePath -LiteralPath $lock), 1, 'DeleteOnClose')
    } catch [System.IO.IOException] {
        throw "another report is being written to $Folder"
    }
}
