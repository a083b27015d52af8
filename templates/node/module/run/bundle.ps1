# Whether the bundle is the one that was rendered, before anything in it is believed.

# node.json cannot hold its own digest: these zeros were hashed with the rest.
$script:Unsealed = '0' * 64

# What a run needs whatever its steps are; the copy that the task runs has no pages for people.
$script:BundleScript = @(
    'WinNode.psm1'
    foreach ($name in 'Install', 'Join', 'Test', 'Suspend', 'Reset') { "$name-WinNode.ps1" }
    'Export-WinNodeReport.ps1'
)

$script:BundleRemedy = 'nothing was changed; copy the whole bundle again, byte for byte'

function Assert-NodeSeal {
    # Refuses a node.json that is not as it was rendered.
    [CmdletBinding()]
    [OutputType([void])]
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
        throw ("the lines of $LiteralPath end with CR LF now, as git writes them on Windows; " +
            "$script:BundleRemedy, and where it lies in git, write * -text into .gitattributes beside it")
    }
    throw "$LiteralPath was changed after it was rendered; $script:BundleRemedy"
}

function Assert-NodeBundleFile {
    # Refuses a bundle of which a file is not as it was rendered, or of which one lacks that a run needs.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $sources = @($script:Run.Document['steps'] | ForEach-Object -Process { $_['source'] })
    $needed = @($script:BundleScript) + @($sources | Where-Object -FilterScript { $_ })
    $known = @{}
    foreach ($file in $script:Run.Document['files']) { $known[$file['path']] = $file['sha256'] }
    $why = @(foreach ($path in @($known.Keys) + $needed | Select-Object -Unique | Sort-Object) {
            $found = Get-NodeDigest -LiteralPath (Join-Path -Path $script:Run.Bundle -ChildPath $path)
            if ($found -eq '') {
                if ($needed -ccontains $path) { "it lacks $path" }
            } elseif (-not $known.ContainsKey($path)) {
                "it was rendered without $path"
            } elseif ($found -cne $known[$path] -and (Get-NodeSignedDigest -Path $path) -cne $known[$path]) {
                "$path was changed"
            }
        })
    if ($why.Count -eq 0) { return }
    $script:Run.Refused = $true
    throw "$($script:Run.Bundle): $($why -join ', '); $script:BundleRemedy"
}

function Get-NodeSignedDigest {
    # SHA-256 of a script as it was before somebody signed it: a signature is lines of comments at the end.
    # https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_signing
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Path)

    if ($Path -notmatch '\.psm?1$') { return '' }
    $text = Read-NodeText -LiteralPath (Join-Path -Path $script:Run.Bundle -ChildPath $Path)
    $begin = $text.IndexOf('# SIG # Begin signature block')
    if ($begin -lt 0 -or $text.Substring($begin) -notmatch '^(# [^\r\n]*\r?\n?)+\s*$') { return '' }
    # Each script ends with one line end, and the signature begins on a line of its own.
    Get-NodeTextDigest -Text ($text.Substring(0, $begin).TrimEnd() + "`n")
}
