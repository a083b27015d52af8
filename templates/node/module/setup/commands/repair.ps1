# Repairs that no step describes: running pods, and load balancers.

# Sandboxes that are stopped at once, and the seconds until the next ones.
$script:SandboxesAtOnce = 5
$script:SandboxSeconds = 10

function Stop-NodeLostSandbox {
    # Stops sandboxes that have lost their HNS endpoint, so that the kubelet creates new ones.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    $steps = @(Get-NodePhaseStep -Phase boot | Where-Object -FilterScript { $_['kind'] -ceq 'hnsNetwork' })
    if ($steps.Count -eq 0 -or -not $PSCmdlet.ShouldProcess('sandboxes', 'stop')) { return }
    $lost = @(Get-NodeLostSandbox)
    $crictl = Find-NodeProgram -Name 'crictl.exe'
    while ($lost.Count -gt 0) {
        $some = @($lost | Select-Object -First $script:SandboxesAtOnce)
        $lost = @($lost | Select-Object -Skip $script:SandboxesAtOnce)
        $names = @($some | ForEach-Object -Process { Get-NodePodName -Pod $_ }) -join ', '
        Write-NodeLog -Level info -Step '' -Message "stopping sandboxes without an HNS endpoint: $names"
        $script:Run.Doubtful = $true
        try {
            $ids = @($some | ForEach-Object -Process { $_['id'] })
            $null = Invoke-NodeCrictl -Program $crictl -ArgumentList (@('stopp') + $ids)
        } catch {
            $problem = $_
            $why = $problem.Exception.Message
            $script:Run.Lack = "sandboxes without an HNS endpoint cannot be stopped: $why"
            return
        }
        if ($lost.Count -gt 0) { $null = Read-NodeClock -After $script:SandboxSeconds }
    }
}

function Start-NodeProxy {
    # Restarts kube-proxy, which never checks whether HNS still has its load balancers.
    # https://github.com/kubernetes/kubernetes/issues/135802
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    $step = @(Get-NodePhaseStep -Phase boot | Where-Object -FilterScript { $_['policyLists'] })
    if ($step.Count -eq 0 -or -not $PSCmdlet.ShouldProcess($step[0]['name'], 'restart')) { return }
    $script:Run.Doubtful = $true
    try {
        Start-NodeDaemon -Step $step[0]
    } catch {
        $problem = $_
        $script:Run.Lack = $problem.Exception.Message
    }
}

function Start-NodeClosedLog {
    # Restarts services whose output is no longer written to their logs.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    foreach ($name in @(Get-NodeClosedLog)) {
        if (-not $PSCmdlet.ShouldProcess($name, 'restart')) { continue }
        $script:Run.Doubtful = $true
        try {
            Start-NodeDaemon -Step (Get-NodeDaemonStep -Name $name)
        } catch {
            $problem = $_
            $script:Run.Lack = $problem.Exception.Message
        }
    }
}
