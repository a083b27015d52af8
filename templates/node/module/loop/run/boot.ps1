# Recognizes a restart of the machine.

function Get-NodeBootTime {
    # When the machine was started, by the clock of that moment: Windows records it for its process System. Windows
    # computes LastBootUpTime from the clock instead, so that one moves when the clock is set.
    # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-process
    # https://learn.microsoft.com/windows/win32/cimwin32prov/win32-operatingsystem
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $started = (Get-CimInstance -ClassName Win32_Process -Filter 'ProcessId=4').CreationDate
    if ($null -eq $started) { $started = (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime }
    $started.ToUniversalTime().ToString('yyyy-MM-ddTHH:mm:ssZ', $script:Invariant)
}

function Test-NodeSameBoot {
    # Whether the machine has not restarted since a recorded boot time. Earlier versions recorded LastBootUpTime,
    # which differs by seconds; a restart differs by more.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Noted)

    if ($Noted -eq '') { return $false }
    $was, $is = foreach ($time in $Noted, (Get-NodeBootTime)) { [DateTimeOffset]::Parse($time, $script:Invariant) }
    [math]::Abs(($is - $was).TotalSeconds) -lt 30
}
