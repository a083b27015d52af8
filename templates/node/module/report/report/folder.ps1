# Prepares the folder of a report.

function Initialize-NodeReportFolder {
    # The requested folder, or the log folder, for SYSTEM and Administrators only.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Destination)

    if ($Destination -ne '') {
        # The user's folder, wherever it is: its parents may belong to other users.
        $null = [System.IO.Directory]::CreateDirectory((Resolve-NodePath -LiteralPath $Destination))
        return $Destination
    }
    $folder = $script:Run.Document['paths']['log']
    # Another user's file or folder must not get the access list.
    $why = @(Get-NodeReportDistrust -LiteralPath $folder)
    if ($why.Count -gt 0) {
        $script:Run.Refused = $true
        throw "other users may have created ${folder}: $($why -join ', '); use -Destination for another folder"
    }
    Initialize-NodeLogFolder -LiteralPath $folder
    $folder
}

function Get-NodeReportDistrust {
    # Reasons why other users may replace a folder, if any.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    foreach ($path in @(Get-NodePathTree -LiteralPath $LiteralPath)) { Get-NodeDistrust -LiteralPath $path }
}

function Lock-NodeReport {
    # Prevents another report to the same folder until this one is written, with a file that only this process may
    # open and that is deleted with it. None if other users could put a link in its place.
    # https://learn.microsoft.com/dotnet/api/system.io.fileoptions
    [CmdletBinding()]
    [OutputType([System.IO.Stream])]
    param([Parameter(Mandatory = $true)] [string] $Folder)

    try {
        if (@(Get-NodeReportDistrust -LiteralPath $Folder).Count -gt 0) { return }
    } catch {
        # Some network shares do not return access lists.
        Write-Verbose -Message $_.Exception.Message
        return
    }
    $lock = "$Folder\winnode-report.lock"
    try {
        [System.IO.File]::Create((Resolve-NodePath -LiteralPath $lock), 1, 'DeleteOnClose')
    } catch [System.IO.IOException] {
        throw "another report is being written to $Folder"
    }
}
