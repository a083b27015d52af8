# Verifies that the bundle is unchanged since it was rendered, before anything in it is used.

# node.json cannot contain its own SHA-256: it was computed with these zeros in its place.
$script:Unsealed = '0' * 64

# Files that every run needs. The copy that the scheduled task runs has no README files.
$script:BundleScript = @(
    'WinNode.Loop.psm1', 'WinNode.psm1', 'WinNode.Report.psm1'
    foreach ($name in 'Invoke', 'Install', 'Join', 'Test', 'Suspend', 'Reset') { "$name-WinNode.ps1" }
    'Export-WinNodeReport.ps1'
)

$script:BundleRemedy = 'nothing was changed; copy the whole bundle again, byte for byte'

function Assert-NodeSeal {
    # Rejects a node.json that was modified after rendering.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Text,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Document
    )

    $digest = "$($Document['sha256'])"
    $known = $digest -cmatch '^[0-9a-f]{64}$'
    $unsealed = if ($known) { $Text.Replace("`"$digest`"", "`"$($script:Unsealed)`"") } else { '' }
    if ($known -and (Get-NodeTextDigest -Text $unsealed) -ceq $digest) { return }
    $script:Run.Refused = $true
    $ends = $unsealed.Replace("`r`n", "`n")
    if ($known -and (Get-NodeTextDigest -Text $ends) -ceq $digest) {
        throw ("$LiteralPath has CR LF line ends, as git writes them on Windows; " +
            "$script:BundleRemedy, and if it is in a git repository, add * -text to .gitattributes")
    }
    throw "$LiteralPath was modified after it was rendered; $script:BundleRemedy"
}

function Assert-NodeBundleFile {
    # Rejects a bundle with a modified, unknown or missing file.
    [CmdletBinding()]
    param()

    $sources = @($script:Run.Document['steps'] | ForEach-Object -Process { $_['source'] })
    $needed = @($script:BundleScript) + @($sources | Where-Object -FilterScript { $_ })
    $known = @{}
    foreach ($file in $script:Run.Document['files']) { $known[$file['path']] = $file['sha256'] }
    $why = @(foreach ($path in @($known.Keys) + $needed | Select-Object -Unique | Sort-Object) {
            $found = Get-NodeDigest -LiteralPath (Join-Path -Path $script:Run.Bundle -ChildPath $path)
            if ($found -eq '') {
                if ($needed -ccontains $path) { "$path is missing" }
            } elseif (-not $known.ContainsKey($path)) {
                "$path is not part of it"
            } elseif ($found -cne $known[$path] -and (Get-NodeSignedDigest -Path $path) -cne $known[$path]) {
                "$path was modified"
            }
        })
    if ($why.Count -eq 0) { return }
    $script:Run.Refused = $true
    throw "$($script:Run.Bundle): $($why -join ', '); $script:BundleRemedy"
}

function Get-NodeSignedDigest {
    # SHA-256 of a script as it was rendered: without its signature, which is a block of comments at the end, and
    # with LF line ends, because a script is converted to CR LF before it is signed.
    # https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_signing
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Path)

    if ($Path -notmatch '\.psm?1$') { return '' }
    $text = Read-NodeText -LiteralPath (Join-Path -Path $script:Run.Bundle -ChildPath $Path)
    # The last one: this module itself contains the text.
    $begin = $text.LastIndexOf('# SIG # Begin signature block')
    if ($begin -lt 0 -or $text.Substring($begin) -notmatch '^(# [^\r\n]*(\r?\n|$))+\s*$') { return '' }
    # The last character of a script is a line feed, and the signature begins on a new line.
    Get-NodeTextDigest -Text ($text.Substring(0, $begin).TrimEnd().Replace("`r`n", "`n") + "`n")
}
