# Stores and prints the results of the health checks.

function Add-NodeHealth {
    # Runs the checks, stores the results with the run, and prints them.
    [CmdletBinding()]
    param()

    foreach ($check in @(Get-NodeHealth)) {
        $script:Run.Health += $check
        $row = @{ State = $check['verdict']; Id = $check['id']; Text = $check['evidence'] }
        if (-not $script:Run.Quiet) {
            Write-NodeRow -Place 'health' @row
            if ($check['remedy'] -ne '') { Write-NodeRow -Place '' -State '' -Id $check['remedy'] -Text '' }
        }
    }
    $bad = @($script:Run.Health | Where-Object -FilterScript { $_['verdict'] -ceq 'fail' } |
            ForEach-Object -Process { $_['id'] })
    if ($bad.Count -gt 0 -and $script:Run.Message -eq '') {
        $script:Run.Message = "does not work: $($bad -join ', ')"
    }
}
