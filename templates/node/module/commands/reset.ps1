# Reset-Node: every step taken back, the last one first.

function Reset-Node {
    <#
        .SYNOPSIS
            Takes away what node.json put on this machine, and restores what was there before.

        .DESCRIPTION
            Goes backwards through the steps. What was so before the first change stays as it is. Data of
            pods, logs and Windows features stay unless asked for. Can be run again.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        # Also removes folders that are not empty; never containerd's layers.
        [Parameter()] [switch] $RemoveData,
        # Also removes Windows features that an installation added.
        [Parameter()] [switch] $RemoveFeature,
        # Exit code that asks the caller for a restart.
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
        # Last, as files of this bundle may lie in folders of an earlier one.
        Reset-NodeOrphan -Folder
        $failed = @($script:Run.Steps | Where-Object -FilterScript { $_['state'] -eq 'Failed' }).Count
        if ($failed -eq 0 -and -not $WhatIfPreference) { Clear-NodeState }
    }
}

function Reset-NodeStep {
    # Takes one step back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $id = $Step['id']
    $policy = $script:StepKind[$Step['kind']].Reset
    $restore = Get-NodeMemoryCommand -Step $Step -Verb Restore
    $noted = Test-NodeNoted -Step $Step
    if ($policy -eq 'keep' -or $null -eq $restore) {
        return ConvertTo-NodeStepResult -Step $Step -State Unchanged -Detail 'it leaves nothing of its own'
    }
    # What a program made that we started is not noted with its step.
    if (-not $noted -and ($policy -eq 'restore' -or -not (Test-NodeJoinBegun))) {
        if (@(Get-NodeRestart) -contains $id) {
            return ConvertTo-NodeStepResult -Step $Step -State Waiting -Restart $true -Detail 'for a restart'
        }
        return ConvertTo-NodeStepResult -Step $Step -State Unchanged -Detail 'winnode did not change it'
    }
    if ($WhatIfPreference -or -not $PSCmdlet.ShouldProcess($id, 'reset')) {
        return ConvertTo-NodeStepResult -Step $Step -State WouldChange
    }
    try {
        $restart = $false
        $detail = ''
        foreach ($part in @(Get-NodePart -Step $Step)) {
            # Of an archive, only some may be noted.
            if ($noted -and -not (Test-NodeNoted -Step $part)) { continue }
            $arguments = @{ Step = $part }
            if ($restore.Parameters.ContainsKey('Before')) { $arguments['Before'] = Get-NodeBefore -Step $part }
            $null = Read-NodeDetail
            $restart = @(& $restore @arguments) -contains $true -or $restart
            $detail = Read-NodeDetail
            # Before it is forgotten: a Reset that comes before the restart must ask for it again.
            if ($restart) { Add-NodeRestart -Id $id }
            if ($noted -and $detail -notmatch '^kept') { Clear-NodeBefore -Step $part }
        }
        # What was not noted was made by a program that we started, or is not there.
        $state = if ($noted -or $detail -ne '') { 'Changed' } else { 'Unchanged' }
        if ($detail -match '^kept') { $state = 'Kept' }
        ConvertTo-NodeStepResult -Step $Step -State $state -Restart $restart -Detail $detail
    } catch {
        $problem = $_
        Write-NodeLog -Level fail -Step $id -Message "$($problem.Exception.Message) $($problem.ScriptStackTrace)"
        ConvertTo-NodeStepResult -Step $Step -State Failed -Detail $problem.Exception.Message
    }
}

function Test-NodeJoinBegun {
    # Whether the memory knows that winnode made this machine a node, or began to: it joined, or got a service of a
    # node from us. Without that, credentials and networks that are here are somebody else's.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    if ($script:Run.State['joined']) { return $true }
    $late = @(Get-NodePhaseStep -Phase beforeJoin, join, afterJoin, boot | Where-Object -FilterScript {
            Test-NodeNoted -Step $_
        })
    $late.Count -gt 0
}

function Clear-NodeState {
    # Forgets what is restored. What was kept stays in memory, so that a later Reset can still take it away.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $folder = $script:Run.Document['paths']['state']
    $script:Run.State['joined'] = $false
    $script:Run.State['suspended'] = ''
    $script:Run.State['stopped'] = @()
    foreach ($chapter in 'networks', 'reads', 'routes', 'receipts', 'health') {
        $script:Run.State[$chapter] = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    }
    foreach ($name in 'backup', 'work') { Clear-NodePath -LiteralPath "$folder\$name" }
    Clear-NodeMade
    $rest = @($script:Run.State['before'].GetEnumerator()).Count + @(Get-NodeRestart).Count
    if ($rest -gt 0) { Save-NodeState; return }
    # The old one first, as it counts where the other is missing.
    foreach ($end in '.good', '.winnode-old', '') { Clear-NodePath -LiteralPath "$($script:Run.StateFile)$end" }
}
