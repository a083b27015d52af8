# The loop: brings a member back to what node.json describes, at each start and every few minutes.

function Invoke-NodeLoop {
    # Logs, values that are known late, services and network. Writes nothing where all is as described.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $script:Run.Quiet = $true
    Invoke-NodePreflight -Phase boot
    Assert-NodeOwner -Installed
    Assert-NodeSameName
    if (Test-NodeRefusal) { return }
    # On a full disk nothing else succeeds, and what crashes again and again fills it.
    $rotated = @(Get-NodeLogStep | Where-Object -FilterScript { $_['kind'] -ceq 'logRotation' })
    $kept = Invoke-NodePhase -Step $rotated
    if (-not $WhatIfPreference) { Limit-NodeLog }
    Wait-NodeAddress
    $well = Invoke-NodePhase -Step (@(Get-NodeLateStep) + @(Get-NodePhaseStep -Phase boot))
    if ($WhatIfPreference) { return }
    Complete-NodeRun -Well ($kept -and $well)
    # What was just mended needs a moment until it works: the next run judges it.
    $mended = @($script:Run.Steps | Where-Object -FilterScript { $_['state'] -ceq 'Changed' }).Count -gt 0
    if (-not $mended -or -not $well) { Save-NodeHealth }
    # Without credentials the kubelet ends itself, again and again, and only a person can help.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/certificate/transport.go
    $step = Get-NodeJoinStep
    if ($null -eq $step) { return }
    $member = Get-NodeMember -Step $step
    # Under another name by now it goes on as before.
    if ($member.State -cnotin 'member', 'renamed', 'unnamed') {
        $script:Run.Lack = '{0}: {1}' -f $member.Text, (Get-NodeRemedy -Member $member)
    }
    if ($script:Run.Lack -ne '' -and $script:Run.Message -eq '') { $script:Run.Message = $script:Run.Lack }
}

function Get-NodeLateStep {
    # Steps of earlier phases that the loop looks after: services that run, and what is known only here, such as an
    # address, which may be another one by now.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    # Until Join has run from the bundle of the last installation, the copy that the task runs is an older one.
    $same = "$($script:Run.State['bundle'])" -ceq "$($script:Run.Document['sha256'])"
    Get-NodePhaseStep -Phase image, beforeJoin | Where-Object -FilterScript {
        $_['kind'] -ceq 'serviceRunning' -or ($same -and (Test-NodeStepUsesFact -Step $_))
    }
}

function Wait-NodeAddress {
    # Gives a machine that has just started a minute to get its address. What needs one says so itself.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $null = Wait-NodeCondition -Seconds 60 -Condition {
        try {
            Get-NodeFact -Name 'nodeIP'
        } catch {
            $problem = $_
            Write-Verbose -Message $problem.Exception.Message
        }
    }
}
