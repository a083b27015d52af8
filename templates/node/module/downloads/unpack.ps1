# Takes listed members out of an archive.

function Expand-NodeArchive {
    # Takes listed members out of an archive, into a folder; gives their paths, in the same order.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination,
        [Parameter(Mandatory = $true)] [string[]] $Member
    )

    # The program knows no drives of PowerShell.
    $archive = Resolve-NodePath -LiteralPath $LiteralPath
    $folder = Resolve-NodePath -LiteralPath $Destination
    $listed = @(Invoke-Native -FilePath 'tar.exe' -ArgumentList '-tf', $archive)
    # Some archives write ./a.exe for a.exe.
    $names = @($Member | ForEach-Object -Process { $_ -replace '^\./' })
    $entries = foreach ($name in $names) {
        $leads = '(^|/)\.\.?(/|$)|[\\:*?"<>|\x00-\x1f]|^/|^$'
        if ($name -match $leads) { throw "$name is no member to take" }
        $same = @($listed | Where-Object -FilterScript { ($_ -replace '^\./') -ceq $name })
        if ($same.Count -ne 1) { throw "$LiteralPath holds $name $($same.Count) times" }
        $same[0]
    }
    Clear-NodePath -LiteralPath $Destination
    Initialize-NodeFolder -LiteralPath $Destination
    $null = Invoke-Native -FilePath 'tar.exe' -ArgumentList (@('-xf', $archive, '-C', $folder) + $entries)
    foreach ($name in $names) {
        $path = '{0}\{1}' -f $Destination, $name.Replace('/', '\')
        $item = Get-Item -LiteralPath $path -Force
        # A link would lead out of the folder.
        if ($item.PSIsContainer -or $item.Attributes -band [System.IO.FileAttributes]::ReparsePoint) {
            throw "$name is not a plain file"
        }
        $path
    }
}
