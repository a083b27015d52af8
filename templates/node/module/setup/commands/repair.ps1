# Repairs that no step describes: running pods, and load balancers.

# Sandboxes that are stopped one after the other, and the seconds until the next ones.
$script:SandboxesAtOnce = 5
$script:SandboxSeconds = 10

function Stop-NodeLostSandbox {
    # Stops sandboxes that have lost their HNS endpoint, so that the kubelet creates new ones. One that cannot be
    # stopped does not keep the others: crictl itself ends at the first.
    # https://github.com/kubernetes-sigs/cri-tools/blob/master/cmd/crictl/sandbox.go
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    $steps = @(Get-NodePhaseStep -Phase boot | Where-Object -FilterScript {
            $_['kind'] -ceq 'hnsNetwork' -or
            ($_['kind'] -ceq 'pluginNetwork' -and $null -ne (Get-NodeHnsNetwork -Name $_['network']))
        })
    if ($steps.Count -eq 0 -or -not $PSCmdlet.ShouldProcess('sandboxes', 'stop')) { return }
    $crictl = Find-NodeProgram -Name 'crictl.exe'
    $lost = @(Get-NodeLostSandbox)
    $failed = @()
    for ($index = 0; $index -lt $lost.Count; $index++) {
        if ($index -gt 0 -and $index % $script:SandboxesAtOnce -eq 0) {
            $null = Read-NodeClock -After $script:SandboxSeconds
        }
        $script:Run.Doubtful = $true
        $name = Get-NodePodName -Pod $lost[$index]
        Write-NodeLog -Level info -Step '' -Message "stopping the sandbox of $name, which has no HNS endpoint"
        try {
            $null = Invoke-NodeCrictl -Program $crictl -ArgumentList 'stopp', $lost[$index]['id']
        } catch {
            $failed += "${name}: $($_.Exception.Message)"
        }
    }
    if ($failed.Count -gt 0) {
        $script:Run.Lack = "sandboxes without an HNS endpoint cannot be stopped: $($failed -join '; ')"
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
        $script:Run.Lack = $_.Exception.Message
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
            $script:Run.Lack = $_.Exception.Message
        }
    }
}
