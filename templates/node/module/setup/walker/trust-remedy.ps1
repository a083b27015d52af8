# The remedy for a path that other users could have written.

# Folders of Windows must keep their access lists.
$script:WindowsFolder = '^[A-Z]:\\(Windows(\\.*)?|Users(\\[^\\]+)?|ProgramData|Program Files( \(x86\))?)?$'

function Get-NodeTrustRemedy {
    # How to give a path and its contents to Administrators.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $why = Get-NodeDistrust -LiteralPath $LiteralPath
    if ($why -match ' is a link: ') { return '' }
    if ($LiteralPath -match $script:WindowsFolder) { return ', or remove their write access' }
    $how = "icacls.exe '$LiteralPath' /setowner '*S-1-5-32-544' /T; icacls.exe '$LiteralPath' /reset /T"
    # An inherited entry would be inherited again.
    if ($why -match ' inherited from its folder$') {
        $to = if (Test-Path -LiteralPath $LiteralPath -PathType Container) { '(OI)(CI)F' } else { 'F' }
        $how = "icacls.exe '$LiteralPath' /inheritance:r /grant:r '*S-1-5-18:$to' '*S-1-5-32-544:$to'"
    }
    ", or, if it is yours, run $how"
}
