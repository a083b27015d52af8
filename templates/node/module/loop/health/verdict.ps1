# Runs all health checks of node.json, each with a verdict, its evidence and a remedy.

function ConvertTo-NodeVerdict {
    # The result of a check: ok, warn (it works, but needs attention), fail, or unknown (it could not be checked).
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('ok', 'warn', 'fail', 'unknown')] [string] $Verdict,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Evidence,
        # The remedy, if it differs from that of the kind.
        [Parameter()] [string] $Remedy = '',
        # The service that a restart would repair.
        [Parameter()] [string] $Repair = ''
    )

    @{ Verdict = $Verdict; Evidence = $Evidence; Remedy = $Remedy; Repair = $Repair }
}

function Invoke-NodeCheck {
    # Runs the function of a check, with the values of node.json if it has a parameter for them.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Function,
        [Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyCollection()] [object[]] $Pair
    )

    $arguments = @{}
    $test = Get-Item -LiteralPath "function:$Function"
    if ($test.Parameters.ContainsKey('Need')) { $arguments['Need'] = ConvertTo-NodeMap -Pair $Pair }
    & $test @arguments
}

function Get-NodeHealth {
    # The results of this bundle's health checks. The module of the reconcile loop alone has some of them.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary[]])]
    param()

    foreach ($check in $script:Run.Document['health']) {
        if (-not $script:HealthKind.ContainsKey($check['kind'])) { continue }
        $kind = $script:HealthKind[$check['kind']]
        try {
            $answer = Invoke-NodeCheck -Function $kind.Function -Pair $check['with']
        } catch {
            $answer = ConvertTo-NodeVerdict -Verdict unknown -Evidence $_.Exception.Message
        }
        $remedy = if ($answer.Remedy) { $answer.Remedy } else { $kind.Remedy }
        if ($answer.Verdict -ceq 'ok') { $remedy = '' }
        $script:Run.Repairs[$check['id']] = $answer.Repair
        [ordered]@{
            id       = $check['id']
            kind     = $check['kind']
            verdict  = $answer.Verdict
            evidence = (Hide-NodeSecret -Text $answer.Evidence) -replace '\s*[\r\n]+\s*', ' '
            remedy   = $remedy
        }
    }
}
