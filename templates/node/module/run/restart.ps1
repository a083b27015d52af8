# Which steps wait for a restart of the machine.

function Get-NodeBootTime {
    # When the machine started: what asked for a restart before that has had it.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $started = (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime.ToUniversalTime()
    $started.ToString('yyyy-MM-ddTHH:mm:ssZ', [System.Globalization.CultureInfo]::InvariantCulture)
}

function Add-NodeRestart {
    # Notes that a step waits for a restart of the machine.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Id)

    $state = $script:Run.State
    $boot = Get-NodeBootTime
    if ($state['boot'] -cne $boot) { $state['restarts'] = @() }
    $state['boot'] = $boot
    $state['restarts'] = @(@($state['restarts']) + $Id | Select-Object -Unique)
    Save-NodeState
}

function Get-NodeRestart {
    # Ids of the steps that wait for a restart since the machine last started.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $state = $script:Run.State
    if (@($state['restarts']).Count -eq 0 -or $state['boot'] -cne (Get-NodeBootTime)) { return }
    $state['restarts']
}
