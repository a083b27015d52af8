# Finds the steps of an upgrade that Join must run.

function Test-NodeRenewal {
    # Reports the steps of later phases that differ; Join needs no token on a machine that has joined.
    [CmdletBinding()]
    param()

    $late = @(foreach ($step in @(Get-NodePhaseStep -Phase beforeJoin, join, afterJoin, boot)) {
            if ((Invoke-NodeStep -Step $step -TestOnly)['state'] -ne 'Unchanged') { $step['id'] }
        })
    if ($late.Count -eq 0) { return }
    $text = "the machine has joined: run Join-WinNode.ps1 again for $($late -join ', ')"
    $script:Run.Message = @($script:Run.Message, $text | Where-Object -FilterScript { $_ }) -join '; '
}
