# Puts files in the place of others, as far as Windows lets us.

function Move-NodeFile {
    # Gives a finished file its name. Tries a few times: a scanner may hold a fresh file for a moment.
    [CmdletBinding()]
    [OutputType([void])]
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
            $problem = $_
            if ($attempt -ge $script:Limit.Attempts) {
                throw "$Destination could not be replaced: $($problem.Exception.GetBaseException().Message)"
            }
            $null = Read-NodeClock -After 1
        }
    }
}

function Switch-NodeFile {
    # Puts a file in the place of an old one, which is renamed, as Windows does not overwrite a program that
    # runs; it goes when nobody uses it any more.
    [CmdletBinding()]
    [OutputType([void])]
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
        # What an earlier change left may still run.
        if (Test-Path -LiteralPath $old) { $old = "$Destination.winnode-old$number" }
    }
    Invoke-NodeReplace -LiteralPath $LiteralPath -Destination $Destination -Old $old
    Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
}

function Invoke-NodeReplace {
    # Renames the old file, then the new one: a moment lies between the two.
    # https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-replacefilew
    [CmdletBinding()]
    [OutputType([void])]
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
