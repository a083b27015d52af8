# Writes a report: one JSON file and one zip, for SYSTEM and Administrators only.

function Add-NodeReportPart {
    # Reads parts of a report, each as JSON within what is left of its size; a part that cannot be read says why.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        # By part, its JSON.
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Report,
        # By part, what reads it.
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Part
    )

    $Report.Remove('unread')
    foreach ($name in @($Part.Keys)) {
        try {
            $json = ConvertTo-NodeReportJson -InputObject (& $Part[$name] $name)
            $others = 0
            foreach ($key in @($Report.Keys)) { if ($key -cne $name) { $others += $Report[$key].Length } }
            $left = $script:Limit.ReportSize - $others
            if ($json.Length -gt $left) { throw "it has $($json.Length) characters, and there is room for $left" }
        } catch {
            $problem = $_
            $why = Add-NodeUnread -What $name -Why $problem.Exception.GetBaseException().Message
            $json = ConvertTo-NodeReportJson -InputObject $why
        }
        $Report[$name] = $json
    }
    $Report['unread'] = ConvertTo-NodeReportJson -InputObject @($script:Run.Unread)
}

function ConvertTo-NodeReportJson {
    # A part of a report as JSON.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyCollection()] [object] $InputObject)

    $builder = New-Object -TypeName System.Text.StringBuilder
    Add-NodeJson -Builder $builder -Value $InputObject -Indent '  '
    $builder.ToString()
}

function Write-NodeReport {
    # Writes what there is of a report into a folder.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Report,
        [Parameter(Mandatory = $true)] [string] $Folder
    )

    $lines = foreach ($name in @($Report.Keys)) { '  "{0}": {1}' -f $name, $Report[$name] }
    $text = "{`n" + ($lines -join ",`n") + "`n}`n"
    $json = "$Folder\winnode-report.json"
    $zip = "$Folder\winnode-report.zip"
    try {
        # It quotes logs that not everybody may read.
        Write-NodeSecret -LiteralPath $json -Text $text
        Write-NodeSecret -LiteralPath $zip -Text ''
        # Windows' tar.exe writes a zip where the name asks for one, and into the file that is there.
        # https://github.com/libarchive/libarchive/blob/master/libarchive/archive_write_open_filename.c
        $null = Invoke-Native -FilePath 'tar.exe' -ArgumentList @(
            '-a', '-c', '-f', (Resolve-NodePath -LiteralPath $zip)
            '-C', (Resolve-NodePath -LiteralPath $Folder), 'winnode-report.json'
        )
    } catch {
        $problem = $_
        # Half of one is taken for a whole one.
        Clear-NodePath -LiteralPath $json
        Clear-NodePath -LiteralPath $zip
        $why = $problem.Exception.GetBaseException().Message
        throw "the report could not be written to ${Folder}: $why; -Destination names another folder"
    }
}
