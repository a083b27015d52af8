# Extracts files from archives.

function Expand-NodeArchive {
    # Extracts the listed files of an archive into a folder; returns their paths, in the same order.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination,
        [Parameter(Mandatory = $true)] [string[]] $Member
    )

    # tar.exe does not know PowerShell's drives.
    $archive = Resolve-NodePath -LiteralPath $LiteralPath
    $folder = Resolve-NodePath -LiteralPath $Destination
    $listed = @(Invoke-Native -FilePath 'tar.exe' -ArgumentList '-tf', $archive)
    # Some archives contain ./a.exe instead of a.exe.
    $names = @($Member | ForEach-Object -Process { $_ -replace '^\./' })
    $entries = foreach ($name in $names) {
        $leads = '(^|/)\.\.?(/|$)|[\\:*?"<>|\x00-\x1f]|^/|^$'
        if ($name -match $leads) { throw "${name}: not a valid name of a file in an archive" }
        $same = @($listed | Where-Object -FilterScript { ($_ -replace '^\./') -ceq $name })
        if ($same.Count -ne 1) { throw "${LiteralPath}: contains $($same.Count) files named $name, expected 1" }
        $same[0]
    }
    Clear-NodePath -LiteralPath $Destination
    Initialize-NodeFolder -LiteralPath $Destination
    $null = Invoke-Native -FilePath 'tar.exe' -ArgumentList (@('-xf', $archive, '-C', $folder) + $entries)
    foreach ($name in $names) {
        $path = '{0}\{1}' -f $Destination, $name.Replace('/', '\')
        $item = Get-Item -LiteralPath $path -Force
        # A link would point out of the folder.
        if ($item.PSIsContainer -or $item.Attributes -band [System.IO.FileAttributes]::ReparsePoint) {
            throw "${name}: not a regular file"
        }
        $path
    }
}
