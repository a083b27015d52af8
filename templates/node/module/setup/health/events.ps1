# Writes health changes to the event log: each change of a verdict, once.

# Event types of verdicts.
$script:VerdictEvent = @{ ok = 'Information'; warn = 'Warning'; fail = 'Error' }

function Save-NodeHealth {
    # Writes one event for each verdict that differs from the recorded one, and records it. Unknown verdicts change
    # nothing; a verdict without a record was ok. A check that compares moving things fails if it fails in two
    # runs. Returns the checks that fail.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary[]])]
    param()

    $noted = $script:Run.State['health']
    $doubts = @($script:Run.State['doubts'])
    $changed = $false
    $script:Run.Checks = @()
    foreach ($check in @(Get-NodeHealth)) {
        $id = $check['id']
        $before = if ($null -ne $noted[$id]) { $noted[$id] } else { 'ok' }
        $now = $check['verdict']
        $script:Run.Checks += $check
        $script:Run.Doubtful = $script:Run.Doubtful -or ($now -cne $before -and $now -cne 'unknown')
        if ($script:HealthKind[$check['kind']]['Twice']) {
            $first = $now -ceq 'fail' -and $before -cne 'fail' -and $doubts -cnotcontains $id
            $kept = @($doubts | Where-Object -FilterScript { $_ -cne $id }) + @(if ($first) { $id })
            if (($kept -join ' ') -cne ($doubts -join ' ')) { $changed = $true }
            $script:Run.State['doubts'] = $doubts = $kept
            if ($first) { continue }
        }
        if ($now -ceq 'fail') { $check }
        if ($now -ceq $before -or $now -ceq 'unknown') { continue }
        $level = if ($now -ceq 'fail') { 'fail' } else { 'info' }
        $text = "${id}: $now, was $before`n$($check['evidence'])`n$($check['remedy'])".Trim()
        Write-NodeLog -Level $level -Step $id -Message "health $text"
        try {
            $number = $script:HealthKind[$check['kind']].Event
            Write-NodeEvent -Id $number -Type $script:VerdictEvent[$now] -Text $text
        } catch {
            Write-NodeLog -Level warn -Step $id -Message "the event cannot be written: $($_.Exception.Message)"
        }
        $noted[$id] = $now
        $changed = $true
    }
    if ($changed) { Save-NodeState }
}
