# Reset-Node: resets every step, in reverse order.

function Reset-Node {
    # Resets the steps in reverse order. Reset-WinNode.ps1 has the help.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [switch] $RemoveData,
        [Parameter()] [switch] $RemoveFeature,
        [Parameter()] [int] $RestartExitCode = 3010
    )

    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'reset')
    $open = @{ Path = $Path; Writes = $writes }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        $script:Run.RemoveData = [bool]$RemoveData
        $script:Run.RemoveFeature = [bool]$RemoveFeature
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), reset"
        if (-not $WhatIfPreference) { Stop-NodeWorkload }
        Reset-NodeOrphan
        $steps = @($script:Run.Document['steps'])
        for ($index = $steps.Count - 1; $index -ge 0; $index--) {
            $script:Run.Place = "$($steps.Count - $index)/$($steps.Count)"
            $result = Reset-NodeStep -Step $steps[$index]
            Add-NodeResult -Result $result -Step $steps[$index]
        }
        # Last, because files of this bundle may be in folders of an earlier one.
        Reset-NodeOrphan -Folder
        $failed = @($script:Run.Steps | Where-Object -FilterScript { $_['state'] -eq 'Failed' }).Count
        if ($failed -eq 0 -and -not $WhatIfPreference) { Clear-NodeState }
    }
}

function Reset-NodeStep {
    # Resets one step.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $id = $Step['id']
    $policy = $script:StepKind[$Step['kind']].Reset
    $restore = Get-NodeMemoryCommand -Step $Step -Verb Restore
    $noted = Test-NodeStateSaved -Step $Step
    if ($policy -eq 'keep' -or $null -eq $restore) {
        return ConvertTo-NodeStepResult -Step $Step -State Unchanged -Detail 'nothing to reset'
    }
    # Results of programs that a step started are not saved with the step.
    if (-not $noted -and ($policy -eq 'restore' -or -not (Test-NodeJoinBegun))) {
        if (@(Get-NodeRestart) -contains $id) {
            return ConvertTo-NodeStepResult -Step $Step -State Waiting -Restart $true -Detail 'restart pending'
        }
        return ConvertTo-NodeStepResult -Step $Step -State Unchanged -Detail 'not changed by winnode'
    }
    if ($WhatIfPreference -or -not $PSCmdlet.ShouldProcess($id, 'reset')) {
        return ConvertTo-NodeStepResult -Step $Step -State WouldChange
    }
    try {
        $restart = $false
        $detail = ''
        foreach ($part in @(Get-NodePart -Step $Step)) {
            # Only some files of an archive may have a saved state.
            if ($noted -and -not (Test-NodeStateSaved -Step $part)) { continue }
            $arguments = @{ Step = $part }
            if ($restore.Parameters.ContainsKey('Before')) { $arguments['Before'] = Get-NodeBefore -Step $part }
            $null = Read-NodeDetail
            $restart = @(& $restore @arguments) -contains $true -or $restart
            $detail = Read-NodeDetail
            # Before the saved state is cleared: a Reset before the restart must ask for the restart again.
            if ($restart) { Add-NodeRestart -Id $id }
            if (-not $noted -or $detail -match '^kept') { continue }
            $script:Run.State['before'].Remove((Get-NodeStateKey -Step $part))
            Save-NodeState
        }
        # Without a saved state, it was created by a program that a step started, or does not exist.
        $state = if ($noted -or $detail -ne '') { 'Changed' } else { 'Unchanged' }
        if ($detail -match '^kept') { $state = 'Kept' }
        ConvertTo-NodeStepResult -Step $Step -State $state -Restart $restart -Detail $detail
    } catch {
        Write-NodeLog -Level fail -Step $id -Message "$($_.Exception.Message) $($_.ScriptStackTrace)"
        ConvertTo-NodeStepResult -Step $Step -State Failed -Detail $_.Exception.Message
    }
}

function Test-NodeJoinBegun {
    # Whether winnode joined this machine or began to: it has joined, or a step of a later phase has a saved state.
    # Otherwise credentials and networks on it are not winnode's.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    if ($script:Run.State['joined']) { return $true }
    $late = @(Get-NodePhaseStep -Phase beforeJoin, join, afterJoin, boot | Where-Object -FilterScript {
            Test-NodeStateSaved -Step $_
        })
    $late.Count -gt 0
}

function Clear-NodeState {
    # Clears the state that is restored. Kept steps stay recorded, so that a later Reset can still remove them.
    [CmdletBinding()]
    param()

    $folder = $script:Run.Document['paths']['state']
    $script:Run.State['joined'] = $false
    $script:Run.State['suspended'] = ''
    $script:Run.State['address'] = ''
    $script:Run.State['stopped'] = @()
    $script:Run.State['doubts'] = @()
    foreach ($chapter in 'networks', 'reads', 'routes', 'receipts', 'health', 'hns', 'starts') {
        $script:Run.State[$chapter] = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    }
    foreach ($name in 'backup', 'work', 'metrics') { Clear-NodePath -LiteralPath "$folder\$name" }
    Clear-NodeCreated
    $rest = @($script:Run.State['before'].GetEnumerator()).Count + @(Get-NodeRestart).Count
    if ($rest -gt 0) { Save-NodeState; return }
    # The old versions first, because they are used if the state file is missing. A run that is killed before it
    # renames a new version leaves that.
    $ends = '.good.winnode-new', '.good', '.winnode-new', '.winnode-old', ''
    foreach ($end in $ends) { Clear-NodePath -LiteralPath "$($script:Run.StateFile)$end" }
}
