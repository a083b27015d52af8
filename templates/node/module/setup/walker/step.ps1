# Runs one step: test, back up, set, test again.

function Test-NodeStep {
    # Whether a step matches; Read-NodeDetail then returns the differences.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $null = Read-NodeDetail
    [bool](& ('Test-{0}' -f $script:StepKind[$Step['kind']].Noun) -Step $Step)
}

function Invoke-NodeStep {
    # Tests one step; if it differs, sets it, and tests again.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter()] [switch] $TestOnly
    )

    $waits = @(Get-NodeRestart) -contains $Step['id']
    try {
        $same = Test-NodeStep -Step $Step
        $found = Read-NodeDetail
        if ($same) { return ConvertTo-NodeStepResult -Step $Step -State Unchanged -Restart $waits -Detail $found }
        if ($waits) { return ConvertTo-NodeStepResult -Step $Step -State Waiting -Restart $true -Detail $found }
        if ($TestOnly) { return ConvertTo-NodeStepResult -Step $Step -State Different -Detail $found }
        if ($WhatIfPreference) { return ConvertTo-NodeStepResult -Step $Step -State WouldChange -Detail $found }
        $restart = Edit-NodeStep -Step $Step
        return ConvertTo-NodeStepResult -Step $Step -State Changed -Restart $restart -Detail $found
    } catch {
        $message = "$($_.Exception.Message) $($_.ScriptStackTrace)"
        Write-NodeLog -Level fail -Step $Step['id'] -Message $message
        $state = if ($TestOnly -or $WhatIfPreference) { 'Unknown' } else { 'Failed' }
        ConvertTo-NodeStepResult -Step $Step -State $state -Detail $_.Exception.Message
    }
}

function Edit-NodeStep {
    # Backs up the present state, sets the step, and tests it again. Returns whether it needs a restart.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $id = $Step['id']
    Save-NodeBefore -Step $Step
    Write-NodeLog -Level info -Step $id -Message "set $($Step['kind']) $(Get-NodeSubject -Step $Step)"
    $slow = $script:Slow[$Step['kind']]
    if ($null -ne $slow) {
        Write-NodeRow -Place $script:Run.Place -State $slow -Id $id -Text (Get-NodeSubject -Step $Step)
    }
    $restart = @(& ('Set-{0}' -f $script:StepKind[$Step['kind']].Noun) -Step $Step) -contains $true
    if ($restart) {
        Add-NodeRestart -Id $id
        return $true
    }
    $done = Test-NodeStep -Step $Step
    if (-not $done) { throw "still differs after the change: $(Read-NodeDetail)" }
    $false
}

function Get-NodeMemoryCommand {
    # The Backup- or Restore- function of a step's kind, or nothing if it has none.
    [CmdletBinding()]
    [OutputType([System.Management.Automation.FunctionInfo])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [ValidateSet('Backup', 'Restore')] [string] $Verb
    )

    $kind = $script:StepKind[$Step['kind']]
    $noun = if ($kind.ContainsKey('Memory')) { $kind.Memory } else { $kind.Noun }
    # Not Get-Command: for a missing function it searches every module of the machine.
    Get-Item -LiteralPath "function:$Verb-$noun" -ErrorAction SilentlyContinue
}

function Save-NodeBefore {
    # Saves the previous state before the first change, once.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    # Reset does not restore these kinds.
    if ($script:StepKind[$Step['kind']].Reset -eq 'keep') { return }
    $backup = Get-NodeMemoryCommand -Step $Step -Verb Backup
    foreach ($part in @(Get-NodePart -Step $Step)) {
        if (Test-NodeStateSaved -Step $part) { continue }
        $before = $null
        if ($null -ne $backup) {
            $arguments = if ($backup.Parameters.ContainsKey('Step')) { @{ Step = $part } } else { @{} }
            $before = & $backup @arguments
        }
        Write-NodeBefore -Step $part -Value $before
    }
}
