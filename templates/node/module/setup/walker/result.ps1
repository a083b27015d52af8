# The results of steps, and the exit code of a run.

function ConvertTo-NodeStepResult {
    # The result of one step. States: Unchanged, Changed, WouldChange, Different, Waiting (for a restart),
    # Skipped (after a failure), Kept (by Reset), Unknown (could not be read), Failed.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string] $State,
        [Parameter()] [bool] $Restart = $false,
        [Parameter()] [AllowEmptyString()] [string] $Detail = ''
    )

    [ordered]@{
        id = $Step['id']; kind = $Step['kind']; state = $State; restart = $Restart
        detail = Hide-NodeSecret -Text $Detail
    }
}

function Get-NodeSubject {
    # The value that identifies a step in messages; of a URL, the last part.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $values = foreach ($name in $script:StepKind[$Step['kind']].Subject) { @($Step[$name]) -join ', ' }
    ($values -join '\') -creplace '^(https?|file)://.*/', ''
}

function Add-NodeResult {
    # Stores and logs a result, and prints results other than Unchanged.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Result,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step
    )

    $script:Run.Steps += $Result
    # The reconcile loop logs nothing if nothing changes.
    if ($script:Run.Quiet -and $Result['state'] -ceq 'Unchanged') { return }
    $level = if ($Result['state'] -eq 'Failed') { 'fail' } else { 'info' }
    Write-NodeLog -Level $level -Step $Result['id'] -Message "$($Result['state']) $($Result['detail'])"
    if ($Result['state'] -ceq 'Unchanged') { return }
    $row = @{ State = ConvertTo-NodeWord -State $Result['state']; Id = $Result['id'] }
    Write-NodeRow @row -Place $script:Run.Place -Text (Get-NodeSubject -Step $Step)
    $more = $Result['detail']
    # After a change the differences are obsolete; only a pending restart is reported.
    if ($Result['state'] -ceq 'Changed') { $more = if ($Result['restart']) { 'after a restart' } else { '' } }
    if ($more -ne '') { Write-NodeRow -Place '' -State '' -Id $more -Text '' }
}

function ConvertTo-NodeWord {
    # A state for the console, such as: would change.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $State)

    ($State -creplace '(?<=[a-z])(?=[A-Z])', ' ').ToLowerInvariant()
}

function ConvertTo-NodeExitCode {
    # The exit code for the results of a run.
    [CmdletBinding()]
    [OutputType([int])]
    param(
        [Parameter(Mandatory = $true)] [int] $RestartExitCode,
        # Exit code if a check fails: nothing was changed, or, for commands that change nothing, something differs.
        [Parameter()] [int] $RefusedExitCode = 2
    )

    $refusals = @($script:Run.Preflight | Where-Object -FilterScript { -not $_['passed'] } |
            ForEach-Object -Process { $_['verdict'] })
    $states = @($script:Run.Steps | ForEach-Object -Process { $_['state'] })
    $restarts = @($script:Run.Steps | Where-Object -FilterScript { $_['restart'] -or $_['state'] -eq 'Waiting' })
    if ($refusals -contains 'fail') { return $RefusedExitCode }
    if ($states -contains 'Failed' -or $script:Run.Lack -ne '') { return 1 }
    if ($states -contains 'Different') { return 4 }
    if ($states -contains 'Unknown') { return 6 }
    $verdicts = @($script:Run.Health | ForEach-Object -Process { $_['verdict'] })
    if ($verdicts -contains 'fail') { return 7 }
    if ($verdicts -contains 'unknown') { return 6 }
    if ($refusals -contains 'restart' -or $restarts.Count -gt 0) { return $RestartExitCode }
    0
}
