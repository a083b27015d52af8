# Recognizes a restart of the machine.

function Get-NodeBootTime {
    # The boot time of the machine.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $started = (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime.ToUniversalTime()
    $started.ToString('yyyy-MM-ddTHH:mm:ssZ', [System.Globalization.CultureInfo]::InvariantCulture)
}

function Test-NodeSameBoot {
    # Whether the machine has not restarted since a recorded boot time. Windows computes the boot time from the
    # clock, so it changes by seconds when the clock is set; a restart changes it by more.
    # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-operatingsystem
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Noted)

    if ($Noted -eq '') { return $false }
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $moved = [DateTimeOffset]::Parse((Get-NodeBootTime), $invariant) - [DateTimeOffset]::Parse($Noted, $invariant)
    [math]::Abs($moved.TotalSeconds) -lt 30
}
