# Keeps the log of what happens.

function Write-NodeLog {
    # Adds a line to the log, with the time as UTC. A full disk must not hide what went wrong.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('info', 'warn', 'fail')] [string] $Level,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Step,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $plain = (Hide-NodeSecret -Text $Message) -replace '\s*[\r\n]+\s*', ' '
    Write-Verbose -Message "$Step $plain"
    if ($null -eq $script:Run -or $script:Run.Log -eq '') { return }
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $now = (Read-NodeClock).ToString('yyyy-MM-ddTHH:mm:ss.fffZ', $invariant)
    try {
        [System.IO.File]::AppendAllText($script:Run.Log, ("$now $Level $Step $plain" -replace '  +', ' ') + "`n")
    } catch [System.IO.IOException], [System.UnauthorizedAccessException] {
        Write-Verbose -Message "the log could not be written: $($_.Exception.Message)"
    }
}

function Open-NodeLog {
    # The path of the log as .NET knows it; one that has grown large makes place first. None where others have a
    # hand in its folder: they could lead it to any file.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $log = "$LiteralPath\winnode.log"
    foreach ($path in @(Get-NodeWay -LiteralPath $log)) { if (Get-NodeDistrust -LiteralPath $path) { return '' } }
    Initialize-NodeLogFolder -LiteralPath $LiteralPath
    try {
        if (-not (Test-Path -LiteralPath $log -PathType Leaf)) {
            [System.IO.File]::Open((Resolve-NodePath -LiteralPath $log), 'OpenOrCreate').Dispose()
            Set-NodeOwner -LiteralPath $log
        } elseif ((Get-Item -LiteralPath $log).Length -gt $script:Limit.LogBytes) {
            Move-NodeFile -LiteralPath $log -Destination "$log.1"
        }
    } catch {
        # Somebody reads it and does not let it go: it grows until a later run. Or it cannot be written at all.
        $problem = $_
        Write-Verbose -Message $problem.Exception.Message
    }
    Resolve-NodePath -LiteralPath $log
}

function Initialize-NodeLogFolder {
    # Makes the folder of the log, for SYSTEM and Administrators only: what programs say stands in it, and reports.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    Initialize-NodeFolder -LiteralPath $LiteralPath
    $wanted = ConvertTo-NodeAccess -Sddl $script:ProtectedFolder
    if ((Get-NodeAccess -LiteralPath $LiteralPath) -ceq $wanted) { return }
    Protect-NodePath -LiteralPath $LiteralPath -Sddl $script:ProtectedFolder
}
