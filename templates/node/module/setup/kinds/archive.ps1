# archive: files of a downloaded and verified archive.

$script:StepKind['archive'] = @{ Noun = 'NodeArchive'; Subject = 'url'; Memory = 'NodeFile'; Reset = 'restore' }

function Test-NodeArchive {
    # True if each extracted file still has its recorded checksum.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeReceipt -Step $Step -Path @($Step['members'] | ForEach-Object -Process { $_['path'] })
}

function Set-NodeArchive {
    # Downloads and verifies the archive, and installs its listed files.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['url'], 'download and unpack')) { return }
    $work = '{0}\work' -f $script:Run.Document['paths']['state']
    $archive = '{0}\{1}.{2}' -f $work, $Step['id'], $Step['format']
    $folder = '{0}\{1}' -f $work, $Step['id']
    $digest = Save-NodeDownload -Step $Step -LiteralPath $archive
    try {
        $members = @($Step['members'])
        $names = @($members | ForEach-Object -Process { $_['member'] })
        $taken = @(Expand-NodeArchive -LiteralPath $archive -Destination $folder -Member $names)
        $files = [ordered]@{}
        for ($index = 0; $index -lt $members.Count; $index++) {
            $path = $members[$index]['path']
            $files[$path] = Get-NodeDigest -LiteralPath $taken[$index]
            Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $path)
            # First into the destination folder: a rename within a folder cannot stop halfway.
            Clear-NodePath -LiteralPath "$path.winnode-new"
            Copy-Item -LiteralPath $taken[$index] -Destination "$path.winnode-new" -Force
            Install-NodeFile -LiteralPath "$path.winnode-new" -Destination $path
        }
    } finally {
        Clear-NodePath -LiteralPath $folder
    }
    # Before the download is recorded: after that, no run would remove the archive.
    Clear-NodePath -LiteralPath $archive
    Write-NodeReceipt -Step $Step -Digest $digest -File $files
}
