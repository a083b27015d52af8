# Lists the files of the bundle that are protected by access lists.

function Get-NodeBundlePath {
    # Paths of the bundle's own files, if they are on a local drive with access lists: network shares and discs
    # have none.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $from = $script:Run.From
    if ($from -cnotmatch '^[A-Za-z]:') { return }
    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='$($from.Substring(0, 2))'"
    # A mapped network drive reports NTFS, too.
    if ($null -eq $disk -or $disk.DriveType -ne 3 -or "$($disk.FileSystem)" -cnotin 'NTFS', 'ReFS') { return }
    foreach ($file in Get-NodeBundleFile) { '{0}\{1}' -f $from, $file.Replace('/', '\') }
}
