# Replaces files, also files in use as far as Windows allows it.

function Move-NodeFile {
    # Renames a finished file to its final name. Retries: a virus scanner may lock a new file for a moment.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination
    )

    Set-NodeOwner -LiteralPath $LiteralPath
    $source = Resolve-NodePath -LiteralPath $LiteralPath
    $target = Resolve-NodePath -LiteralPath $Destination
    for ($attempt = 1; ; $attempt++) {
        try {
            if ([System.IO.File]::Exists($target)) {
                Switch-NodeFile -LiteralPath $LiteralPath -Destination $Destination
            } else {
                [System.IO.File]::Move($source, $target)
            }
            return
        } catch [System.IO.IOException], [System.UnauthorizedAccessException] {
            if ($attempt -ge $script:Limit.Attempts) {
                throw "${Destination}: cannot be replaced: $($_.Exception.GetBaseException().Message)"
            }
            $null = Read-NodeClock -After 1
        }
    }
}

function Switch-NodeFile {
    # Replaces a file. The old one is renamed, because Windows does not overwrite a program that runs; it is
    # deleted once it is no longer in use.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination
    )

    foreach ($one in $LiteralPath, $Destination) {
        $path = Resolve-NodePath -LiteralPath $one
        # Neither may be read-only: https://learn.microsoft.com/dotnet/api/system.io.file.replace
        [System.IO.File]::SetAttributes($path, 'Normal')
    }
    $old = "$Destination.winnode-old"
    for ($number = 1; Test-Path -LiteralPath $old; $number++) {
        Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
        # The file that an earlier change replaced may still be running.
        if (Test-Path -LiteralPath $old) { $old = "$Destination.winnode-old$number" }
    }
    Invoke-NodeReplace -LiteralPath $LiteralPath -Destination $Destination -Old $old
    Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
}

function Invoke-NodeReplace {
    # Renames the old file, then the new one: between the two, the name does not exist for a moment.
    # https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-replacefilew
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination,
        [Parameter(Mandatory = $true)] [string] $Old
    )

    $source = Resolve-NodePath -LiteralPath $LiteralPath
    $target = Resolve-NodePath -LiteralPath $Destination
    $backup = Resolve-NodePath -LiteralPath $Old
    [System.IO.File]::Replace($source, $target, $backup, $true)
}
