# Whether what the steps use is SYSTEM's or Administrators', before the first change.

# What names a path in a step, beside the members of an archive.
$script:StepPath = @(
    'path', 'kubeadm', 'kubeconfig', 'bootstrapKubeconfig', 'certificates', 'tokenFile', 'discoveryFile', 'ca'
    'crictl', 'hostLocal', 'dataDirectory', 'wrapper'
)

function Get-NodeStepPath {
    # Paths that steps write, read or run.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Step)

    foreach ($one in $Step) {
        # Windows holds it open.
        if ($one['kind'] -ceq 'pageFile') { continue }
        foreach ($name in $script:StepPath) { if ($one[$name]) { $one[$name] } }
        foreach ($member in $one['members']) { if ($null -ne $member) { $member['path'] } }
    }
}

function Get-NodeDocumentPath {
    # Paths that steps write, read or run, and those of files that somebody brings.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    Get-NodeStepPath -Step @($script:Run.Document['steps'])
    foreach ($check in $script:Run.Document['preflight']) {
        if ($check['kind'] -ceq 'filePresent') { (ConvertTo-NodeMap -Pair $check['with'])['paths'] }
    }
}

function Get-NodeBundlePath {
    # Paths of the bundle's own files, where access lists guard them: a share and a disc have none of this machine.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $from = $script:Run.From
    if ($from -cnotmatch '^[A-Za-z]:') { return }
    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='$($from.Substring(0, 2))'"
    # A drive that stands for a share says NTFS, too.
    if ($null -eq $disk -or $disk.DriveType -ne 3 -or "$($disk.FileSystem)" -cnotin 'NTFS', 'ReFS') { return }
    foreach ($file in Get-NodeBundleFile) { '{0}\{1}' -f $from, $file.Replace('/', '\') }
}

function Assert-NodeOwner {
    # Refuses to work in folders, over files and with credentials that others could have written: they would run as
    # SYSTEM, or say which cluster this is. What lies in a folder that a step protects is asked, too. Folders that
    # the memory knows are the steps' to mend.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $steps = @($script:Run.Document['steps'])
    $folders = @($steps | Where-Object -FilterScript { $_['kind'] -ceq 'directory' })
    $known = @($script:Run.State['folders']) + @($folders | Where-Object -FilterScript {
            Test-NodeNoted -Step $_
        } | ForEach-Object -Process { $_['path'] })
    $paths = @(Get-NodeDocumentPath) + $script:Run.Document['paths']['log'] + @(Get-NodeBundlePath)
    $way = @($paths | ForEach-Object -Process { Get-NodeWay -LiteralPath $_ } |
            Select-Object -Unique)
    $found = [ordered]@{}
    foreach ($path in $way) {
        if ($known -contains $path) { continue }
        $why = Get-NodeDistrust -LiteralPath $path -OfItsOwn:($known -contains (Get-NodeParent -LiteralPath $path))
        if ($why) { $found[$why] = $path }
    }
    foreach ($folder in $folders) {
        if ($known -contains $folder['path'] -or $folder['sddl'] -cne $script:ProtectedFolder) { continue }
        if ($folder['layers'] -or $way -notcontains $folder['path']) { continue }
        $except = @($folders | ForEach-Object -Process { $_['path'] })
        foreach ($why in @(Get-NodePlanted -LiteralPath $folder['path'] -Except $except)) {
            if (-not $found.Contains($why)) { $found[$why] = $folder['path'] }
        }
    }
    if ($found.Count -eq 0) { return }
    $more = if ($found.Count -gt 5) { " and $($found.Count - 5) more" } else { '' }
    $message = 'others could have written what this would use: {0}{1}. Look at it: take it away{2}' -f
    (@($found.Keys | Select-Object -First 5) -join ', '), $more, (Get-NodeGift -LiteralPath @($found.Values)[0])
    Add-NodePreflight -Id 'owner' -Verdict fail -Passed $false -Message $message
}

# What Windows itself made keeps the list that it has from there.
$script:WindowsFolder = '^[A-Z]:\\(Windows(\\.*)?|Users(\\[^\\]+)?|ProgramData|Program Files( \(x86\))?)?$'

function Get-NodeGift {
    # How a person gives a path to Administrators, with all that is in it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $why = Get-NodeDistrust -LiteralPath $LiteralPath
    if ($why -match ' is a link: ') { return '' }
    if ($LiteralPath -match $script:WindowsFolder) { return ', or take the right to change it away' }
    $how = "icacls.exe '$LiteralPath' /setowner '*S-1-5-32-544' /T; icacls.exe '$LiteralPath' /reset /T"
    # What comes from the folder above would come again.
    if ($why -match ' hands down$') {
        $to = if (Test-Path -LiteralPath $LiteralPath -PathType Container) { '(OI)(CI)F' } else { 'F' }
        $how = "icacls.exe '$LiteralPath' /inheritance:r /grant:r '*S-1-5-18:$to' '*S-1-5-32-544:$to'"
    }
    ", or, where it is yours, run $how"
}
