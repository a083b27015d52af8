# serviceRunning: a service runs with current inputs and outputs.

$script:StepKind['serviceRunning'] = @{ Noun = 'NodeServiceRunning'; Subject = 'name'; Reset = 'keep' }

function Test-NodeServiceRunning {
    # True if the service runs and does not need a restart.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $runs = Test-NodeServiceActive -Name $Step['name']
    $lack = if ($runs) { Get-NodeDaemonLack -Step $Step } else { 'not running' }
    if ($lack -ne '') { Write-NodeDetail -Text $lack }
    $lack -eq ''
}

function Set-NodeServiceRunning {
    # Starts or restarts the service, then waits for its outputs.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'start service')) { return }
    Start-NodeDaemon -Step $Step
    $null = Wait-NodeCondition -Seconds $Step['timeout'] -Condition { (Get-NodeDaemonLack -Step $Step) -eq '' }
}
