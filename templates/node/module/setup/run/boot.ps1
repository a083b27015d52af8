# Distinguishes files of this boot from older ones.

function Test-NodeOlderThanBoot {
    # Whether a file is from before the last boot. If the clock was wrong at the boot and has been set since, one
    # of the two times that Windows has for the boot is later than files that were written after it, and does not
    # count.
    # https://learn.microsoft.com/windows-hardware/drivers/ddi/ntddk/nf-ntddk-psgetprocesscreatetimequadpart
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $noted = [DateTimeOffset]::Parse((Get-NodeBootTime), $script:Invariant).UtcDateTime
    $counted = (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime.ToUniversalTime()
    $written = (Get-Item -LiteralPath $LiteralPath -Force).LastWriteTimeUtc
    $written -lt $noted -and $written -lt $counted
}
