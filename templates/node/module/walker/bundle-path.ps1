# Where the bundle of this run lies, as far as access lists guard it.

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
