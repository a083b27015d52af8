# The reconcile loop: at each boot and every few minutes, reconciles a node that has joined with node.json.

function Invoke-NodeReconcile {
    # Logs, node facts, services and pod network. Writes nothing if nothing differs.
    [CmdletBinding()]
    param()

    $script:Run.Quiet = $true
    Invoke-NodePreflight -Phase boot
    Assert-NodeOwner -Installed
    Assert-NodeSameName
    if (Test-NodeRefusal) { return }
    # First, because on a full disk all else fails, and programs that crash in a loop fill the disk.
    $rotated = @(Get-NodeLogStep | Where-Object -FilterScript { $_['kind'] -ceq 'logRotation' })
    $isRotated = Invoke-NodePhase -Step $rotated
    if (-not $WhatIfPreference) { Limit-NodeLog }
    $null = Wait-NodeAddress
    $well = Invoke-NodePhase -Step (@(Get-NodeLateStep) + @(Get-NodePhaseStep -Phase boot))
    if ($WhatIfPreference) { return }
    Complete-NodeRun -Well ($isRotated -and $well)
    $booted = -not (Test-NodeSameBoot -Noted $script:Run.State['looped'])
    if ($well) { Save-NodeLoop }
    Save-NodeWindowsUpdate
    # Changes may need a moment to take effect: the next run checks the health.
    $changed = @($script:Run.Steps | Where-Object -FilterScript { $_['state'] -ceq 'Changed' }).Count -gt 0
    $bad = @(if (-not $changed -or -not $well) { Save-NodeHealth })
    # After a boot the kubelet creates all sandboxes anyway.
    $failed = @($bad | ForEach-Object -Process { $_['kind'] })
    $network = $changed -or $failed -contains 'network' -or $failed -contains 'sandboxes'
    if ($well -and $network -and -not $booted) { Stop-NodeLostSandbox }
    $lacks = @($bad | Where-Object -FilterScript { $script:Run.Repairs[$_['id']] -ceq 'kube-proxy' })
    if ($lacks.Count -gt 0) { Start-NodeProxy }
    if (-not $changed) { Start-NodeClosedLog }
    $wrong = $changed -or -not $well -or -not $isRotated -or $script:Run.Doubtful
    if ($wrong) { Start-NodeNextRun }
    # Without valid credentials the kubelet exits again and again, and only an administrator can help.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/certificate/transport.go
    if ($null -eq (Get-NodeJoinStep)) { return }
    $member = Get-NodeMembership
    # A changed host name does not stop the node.
    if ($member.State -cnotin 'member', 'renamed', 'unnamed') {
        $script:Run.Lack = '{0}: {1}' -f $member.Text, (Get-NodeRemedy -Member $member)
    }
    if (-not $changed -or -not $well) { Publish-NodeHealth -Member $member -Failed $bad }
    if ($script:Run.Lack -ne '' -and $script:Run.Message -eq '') { $script:Run.Message = $script:Run.Lack }
    Save-NodeTrace -Well ($isRotated -and $well -and -not $changed -and $script:Run.Lack -eq '')
}

function Start-NodeOnDemand {
    # While the loop is suspended: starts what Windows leaves to it, once in each start of the machine, unless an
    # administrator has disabled it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    if (Test-NodeSameBoot -Noted "$($script:Run.State['looped'])") { return }
    $names = @(Get-NodeKindStep -Kind serviceStart | Where-Object -FilterScript {
            $_['start'] -ceq 'demand' -and
            (Get-NodeRegistryData -Key "$script:Services\$($_['name'])" -Name 'Start') -eq 3
        } | ForEach-Object -Process { $_['name'] })
    $steps = @(Get-NodePhaseStep -Phase boot)
    $last = -1
    for ($index = 0; $index -lt $steps.Count; $index++) {
        $runs = $steps[$index]['kind'] -ceq 'serviceRunning'
        if ($runs -and $names -ccontains $steps[$index]['name']) { $last = $index }
    }
    if ($last -lt 0 -or -not $PSCmdlet.ShouldProcess("$names", 'start')) { return }
    if (-not (Invoke-NodePhase -Step @($steps[0..$last]))) { return }
    $script:Run.State['looped'] = Get-NodeBootTime
    Save-NodeState
}

function Start-NodeNextRun {
    # Writes the event that starts the task again, minutes after a run that found something wrong.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    if (-not $PSCmdlet.ShouldProcess('reconcile loop', 'run again')) { return }
    $text = "something differed or did not work: the reconcile loop runs again in $script:AgainMinutes minutes"
    try {
        Write-NodeEvent -Id $script:AgainEvent -Type Information -Text $text
    } catch {
        Write-NodeLog -Level warn -Step '' -Message "the event cannot be written: $($_.Exception.Message)"
    }
}

function Save-NodeLoop {
    # Records the address of the node, and that the loop has run since the boot.
    [CmdletBinding()]
    param()

    $state = $script:Run.State
    $address = Get-NodeFact -Name 'nodeIP'
    $same = Test-NodeSameBoot -Noted $state['looped']
    if ($same -and $state['address'] -ceq $address) { return }
    $state['address'] = $address
    $state['looped'] = Get-NodeBootTime
    Save-NodeState
}

function Get-NodeLateStep {
    # Steps of earlier phases that the loop runs, too: services, and files with node facts such as an address,
    # which may have changed.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    # After an installation from another bundle, the task's copy is outdated until Join has run.
    $same = "$($script:Run.State['bundle'])" -ceq "$($script:Run.Document['sha256'])"
    Get-NodePhaseStep -Phase image, beforeJoin | Where-Object -FilterScript {
        $_['kind'] -ceq 'serviceRunning' -or ($same -and (Test-NodeStepUsesFact -Step $_))
    }
}
