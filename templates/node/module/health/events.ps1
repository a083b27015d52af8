# What the loop notes of a member's health: each change of a verdict, once.

# How Windows shows a verdict.
$script:VerdictEvent = @{ ok = 'Information'; warn = 'Warning'; fail = 'Error' }

function Save-NodeHealth {
    # Writes one event for each verdict that is another one than at the last time, and notes it. What could not be
    # asked changes nothing; what was never noted was ok.
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
        $text = "${id}: $now, was $before`n$($check['evidence'])`n$($check['remedy'])".Trim()
        Write-NodeLog -Level $(if ($now -ceq 'fail') { 'fail' } else { 'info' }) -Step $id -Message "health $text"
        try {
            Write-NodeEvent -Id $script:HealthKind[$check['kind']].Event -Type $script:VerdictEvent[$now] -Text $text
        } catch {
            $problem = $_
            Write-NodeLog -Level warn -Step $id -Message "no event could be written: $($problem.Exception.Message)"
        }
        $noted[$id] = $now
        $changed = $true
    }
    if ($changed) { Save-NodeState }
}
