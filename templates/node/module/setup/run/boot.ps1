# Distinguishes files of this boot from older ones.

function Test-NodeOlderThanBoot {
    # Whether a file is from before the last boot. If the clock was wrong at the boot and has been set since, one
    # of the two times that Windows has for the boot is later than files that were written after it, and does not
    # count.
    # https://learn.microsoft.com/windows-hardware/drivers/ddi/ntddk/nf-ntddk-psgetprocesscreatetimequadpart
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $written = (Get-Item -LiteralPath $LiteralPath -Force).LastWriteTimeUtc
    $noted = [DateTimeOffset]::Parse((Get-NodeBootTime), $script:Invariant).UtcDateTime
    if ($written -ge $noted) { return $false }
    $written -lt (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime.ToUniversalTime()
}
