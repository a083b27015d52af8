# Writes the log file.

function Write-NodeLog {
    # Adds a line to the log, with the time as UTC. A full disk does not hide the real error.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('info', 'warn', 'fail')] [string] $Level,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Step,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $plain = (Hide-NodeSecret -Text $Message) -replace '\s*[\r\n]+\s*', ' '
    Write-Verbose -Message "$Step $plain"
    if ($null -eq $script:Run -or $script:Run.Log -eq '') { return }
    $now = (Read-NodeClock).ToString('yyyy-MM-ddTHH:mm:ss.fffZ', $script:Invariant)
    try {
        [System.IO.File]::AppendAllText($script:Run.Log, ("$now $Level $Step $plain" -replace '  +', ' ') + "`n")
    } catch [System.IO.IOException], [System.UnauthorizedAccessException] {
        Write-Verbose -Message "the log cannot be written: $($_.Exception.Message)"
    }
}

function Open-NodeLog {
    # The path of the log for .NET; a large log is rotated first. Empty if other users can write to its folder:
    # they could redirect it to any file with a link.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $log = "$LiteralPath\winnode.log"
    foreach ($path in @(Get-NodePathTree -LiteralPath $log)) {
        if (Get-NodeDistrust -LiteralPath $path) { return '' }
    }
    Initialize-NodeLogFolder -LiteralPath $LiteralPath
    try {
        if (-not (Test-Path -LiteralPath $log -PathType Leaf)) {
            [System.IO.File]::Open((Resolve-NodePath -LiteralPath $log), 'OpenOrCreate').Dispose()
            Set-NodeOwner -LiteralPath $log
        } elseif ((Get-Item -LiteralPath $log).Length -gt $script:Limit.LogBytes) {
            Move-NodeFile -LiteralPath $log -Destination "$log.1"
        }
    } catch {
        # Another program holds the file open, or it cannot be written at all. A later run rotates it.
        Write-Verbose -Message $_.Exception.Message
    }
    Resolve-NodePath -LiteralPath $log
}

function Initialize-NodeLogFolder {
    # Creates the log folder, for SYSTEM and Administrators only: it contains outputs of programs and node reports.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    Initialize-NodeFolder -LiteralPath $LiteralPath
    $wanted = ConvertTo-NodeAccess -Sddl $script:ProtectedFolder
    if ((Get-NodeAccess -LiteralPath $LiteralPath) -ceq $wanted) { return }
    Protect-NodePath -LiteralPath $LiteralPath -Sddl $script:ProtectedFolder
}
