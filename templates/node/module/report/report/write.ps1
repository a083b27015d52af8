# Writes a report: one JSON file and one zip, for SYSTEM and Administrators only.

function Add-NodeReportPart {
    # Reads parts of a report as JSON, within the remaining size; a part that cannot be read contains the reason.
    [CmdletBinding()]
    param(
        # JSON by part.
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Report,
        # Script block by part.
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Part
    )

    $Report.Remove('unread')
    foreach ($name in @($Part.Keys)) {
        try {
            $json = ConvertTo-NodeReportJson -InputObject (& $Part[$name] $name)
            $others = 0
            foreach ($key in @($Report.Keys)) { if ($key -cne $name) { $others += $Report[$key].Length } }
            $left = $script:Limit.ReportSize - $others
            if ($json.Length -gt $left) { throw "$($json.Length) characters, only $left remain" }
        } catch {
            $why = Add-NodeReadFailure -What $name -Why $_.Exception.GetBaseException().Message
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
    # Writes the parts read so far into a folder.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Report,
        [Parameter(Mandatory = $true)] [string] $Folder
    )

    $lines = foreach ($name in @($Report.Keys)) { '  "{0}": {1}' -f $name, $Report[$name] }
    $text = "{`n" + ($lines -join ",`n") + "`n}`n"
    $json = "$Folder\winnode-report.json"
    $zip = "$Folder\winnode-report.zip"
    try {
        # It quotes logs that not every user may read.
        Write-NodeSecret -LiteralPath $json -Content @{ Text = $text }
        Write-NodeSecret -LiteralPath $zip -Content @{ Text = '' }
        # Windows' tar.exe writes a zip by the file's extension, into the existing file.
        # https://github.com/libarchive/libarchive/blob/master/libarchive/archive_write_open_filename.c
        $null = Invoke-Native -FilePath 'tar.exe' -ArgumentList @(
            '-a', '-c', '-f', (Resolve-NodePath -LiteralPath $zip)
            '-C', (Resolve-NodePath -LiteralPath $Folder), 'winnode-report.json'
        )
    } catch {
        # Half a file would be mistaken for a complete one.
        Clear-NodePath -LiteralPath $json
        Clear-NodePath -LiteralPath $zip
        $why = $_.Exception.GetBaseException().Message
        throw "the report cannot be written to ${Folder}: $why; use -Destination for another folder"
    }
}
