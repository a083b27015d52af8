# What a person does about a path that others could have written.

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
