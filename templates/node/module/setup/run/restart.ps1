# Records which steps need a restart of the machine.

function Add-NodeRestart {
    # Records that a step needs a restart of the machine.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Id)

    $state = $script:Run.State
    if (-not (Test-NodeSameBoot -Noted $state['boot'])) {
        $state['restarts'] = @()
        $state['boot'] = Get-NodeBootTime
    }
    $state['restarts'] = @(@($state['restarts']) + $Id | Select-Object -Unique)
    Save-NodeState
}

function Get-NodeRestart {
    # Ids of the steps that need a restart, if the machine has not restarted since.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $state = $script:Run.State
    if (@($state['restarts']).Count -eq 0 -or -not (Test-NodeSameBoot -Noted $state['boot'])) { return }
    $state['restarts']
}
