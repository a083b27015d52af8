# archive: members of an archive of a publisher, checked.

$script:StepKind['archive'] = @{ Noun = 'NodeArchive'; Subject = 'url'; Memory = 'NodeFile'; Reset = 'restore' }

function Test-NodeArchive {
    # True when each file that was taken out of the archive still is what it was then.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeReceipt -Step $Step -Path @($Step['members'] | ForEach-Object -Process { $_['path'] })
}

function Set-NodeArchive {
    # Fetches the archive, checks it, and puts its listed members in place.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['url'], 'download and unpack')) { return $false }
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
            # Its own folder first: a move within a folder cannot stop halfway.
            Clear-NodePath -LiteralPath "$path.winnode-new"
            Copy-Item -LiteralPath $taken[$index] -Destination "$path.winnode-new" -Force
            Install-NodeFile -LiteralPath "$path.winnode-new" -Destination $path
        }
    } finally {
        Clear-NodePath -LiteralPath $folder
    }
    # Before the receipt: with it nobody would come back to take this away.
    Clear-NodePath -LiteralPath $archive
    Write-NodeReceipt -Step $Step -Digest $digest -File $files
    $false
}
