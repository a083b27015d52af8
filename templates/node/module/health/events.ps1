# Writes health changes to the event log: each change of a verdict, once.

# Event types of verdicts.
$script:VerdictEvent = @{ ok = 'Information'; warn = 'Warning'; fail = 'Error' }

function Save-NodeHealth {
    # Writes one event for each verdict that differs from the recorded one, and records it. Unknown verdicts change
    # nothing; a verdict without a record was ok.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $noted = $script:Run.State['health']
    $changed = $false
    foreach ($check in @(Get-NodeHealth)) {
        $id = $check['id']
        $before = if ($null -ne $noted[$id]) { $noted[$id] } else { 'ok' }
        $now = $check['verdict']
        if ($now -ceq $before -or $now -ceq 'unknown') { continue }
        $level = if ($now -ceq 'fail') { 'fail' } else { 'info' }
        $text = "${id}: $now, was $before`n$($check['evidence'])`n$($check['remedy'])".Trim()
        Write-NodeLog -Level $level -Step $id -Message "health $text"
        try {
            $number = $script:HealthKind[$check['kind']].Event
            Write-NodeEvent -Id $number -Type $script:VerdictEvent[$now] -Text $text
        } catch {
            $problem = $_
            $why = $problem.Exception.Message
            Write-NodeLog -Level warn -Step $id -Message "the event cannot be written: $why"
        }
        $noted[$id] = $now
        $changed = $true
    }
    if ($changed) { Save-NodeState }
}
