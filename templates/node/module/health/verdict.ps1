# Runs all health checks of node.json, each with a verdict, its evidence and a remedy.

function ConvertTo-NodeVerdict {
    # The result of a check: ok, warn (it works, but needs attention), fail, or unknown (it could not be checked).
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('ok', 'warn', 'fail', 'unknown')] [string] $Verdict,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Evidence,
        # The remedy, if it differs from that of the kind.
        [Parameter()] [string] $Remedy = ''
    )

    @{ Verdict = $Verdict; Evidence = $Evidence; Remedy = $Remedy }
}

function Get-NodeHealth {
    # The results of all health checks of this bundle.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary[]])]
    param()

    foreach ($check in @($script:Run.Document['health'])) {
        if ($null -eq $check) { continue }
        $kind = $script:HealthKind[$check['kind']]
        try {
            $answer = & $kind.Function -Need (ConvertTo-NodeMap -Pair $check['with'])
        } catch {
            $problem = $_
            $answer = ConvertTo-NodeVerdict -Verdict unknown -Evidence $problem.Exception.Message
        }
        $remedy = if ($answer.Remedy) { $answer.Remedy } else { $kind.Remedy }
        if ($answer.Verdict -ceq 'ok') { $remedy = '' }
        [ordered]@{
            id       = $check['id']
            kind     = $check['kind']
            verdict  = $answer.Verdict
            evidence = (Hide-NodeSecret -Text $answer.Evidence) -replace '\s*[\r\n]+\s*', ' '
            remedy   = $remedy
        }
    }
}

function Add-NodeHealth {
    # Runs the checks, stores the results with the run, and prints them.
    [CmdletBinding()]
    [OutputType([void])]
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
