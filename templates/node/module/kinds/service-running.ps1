# serviceRunning: a service runs, and has what it makes at its start.

$script:StepKind['serviceRunning'] = @{ Noun = 'NodeServiceRunning'; Subject = 'name'; Reset = 'keep' }

function Test-NodeServiceRunning {
    # True when the service runs, and need not start anew.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $runs = Test-NodeServiceActive -Name $Step['name']
    $lack = if ($runs) { Get-NodeDaemonLack -Step $Step } else { 'it does not run' }
    if ($lack -ne '') { Write-NodeDetail -Text $lack }
    $lack -eq ''
}

function Set-NodeServiceRunning {
    # Starts the service, anew where it runs; then waits for what it makes.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'start service')) { return $false }
    Start-NodeDaemon -Step $Step
    $null = Wait-NodeCondition -Seconds $Step['timeout'] -Condition { (Get-NodeDaemonLack -Step $Step) -eq '' }
    $false
}
