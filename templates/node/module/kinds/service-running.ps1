# serviceRunning: a service runs.

$script:StepKind['serviceRunning'] = @{ Noun = 'NodeServiceRunning'; Subject = 'name'; Reset = 'keep' }

function Test-NodeServiceRunning {
    # True when the service runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $runs = Test-NodeServiceActive -Name $Step['name']
    if (-not $runs) { Write-NodeDetail -Text 'it does not run' }
    $runs
}

function Set-NodeServiceRunning {
    # Starts the service.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['name'], 'start service')) {
        Open-NodeService -Name $Step['name'] -Seconds $Step['timeout']
    }
    $false
}
