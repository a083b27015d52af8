# Runs a command, and prints its outcome.

function Invoke-NodeRun {
    # Opens a run, runs a command's body, closes the run, and returns a result in any case.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Open,
        [Parameter(Mandatory = $true)] [string] $Kind,
        [Parameter(Mandatory = $true)] [int] $RestartExitCode,
        [Parameter(Mandatory = $true)] [scriptblock] $Body
    )

    try {
        Open-NodeRun @Open
        Initialize-NodeName
        $null = & $Body
        if ($script:Run.Message -eq '' -and (Test-NodeRefusal)) {
            $script:Run.Message = "nothing was changed, because of $(@(Get-NodeRefusal) -join ', ')"
        }
        $refused = if ($Kind -eq 'NodeSnapshot') { 4 } else { 2 }
        $code = ConvertTo-NodeExitCode -RestartExitCode $RestartExitCode -RefusedExitCode $refused
        $result = ConvertTo-NodeResult -Kind $Kind -ExitCode $code -Message $script:Run.Message
    } catch {
        $message = $_.Exception.Message
        Write-NodeLog -Level fail -Step '' -Message "$message $($_.ScriptStackTrace)"
        $code = if ($null -eq $script:Run -or -not $script:Run.Refused) {
            1
        } elseif ($Kind -eq 'NodeSnapshot') {
            6
        } else {
            2
        }
        $result = ConvertTo-NodeResult -Kind $Kind -ExitCode $code -Message $message
    } finally {
        Close-NodeRun
    }
    Write-NodeSummary -Result $result
    $result
}

function Complete-NodeRun {
    # Starts services that were stopped for a change, or reports those that remain stopped.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [bool] $Well)

    $stopped = @($script:Run.State['stopped'])
    if ($stopped.Count -eq 0) { return }
    if ($Well) {
        Resume-NodeService
    } else {
        $script:Run.Message = "stopped until a run succeeds: $($stopped -join ', ')"
    }
}

function Write-NodeSummary {
    # Prints the last lines: counts of results, message, and exit code.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Result)

    $groups = $Result['steps'] | ForEach-Object -Process { $_['state'] } | Group-Object -NoElement
    $counts = @($groups | ForEach-Object -Process {
            '{0} {1}' -f $_.Count, (ConvertTo-NodeWord -State $_.Name)
        }) -join ', '
    Write-NodeLine -Text ''
    if ($counts -ne '') { Write-NodeLine -Text ('{0} steps: {1}' -f @($Result['steps']).Count, $counts) }
    if ($Result['message'] -ne '') { Write-NodeLine -Text $Result['message'] }
    $until = $Result['suspended']
    if ($until -ne '') { Write-NodeLine -Text "The reconcile loop is suspended until $until." }
    if ($Result['restart']) { Write-NodeLine -Text 'Restart the machine and rerun.' }
    Write-NodeLine -Text "Exit code $($Result['exitCode'])."
}
