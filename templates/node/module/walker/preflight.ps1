# Asks all checks, so that all verdicts are told at once.

function Add-NodePreflight {
    # Keeps the verdict of a check, and tells a person who watches.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Id,
        [Parameter(Mandatory = $true)] [ValidateSet('fail', 'restart', 'warn')] [string] $Verdict,
        [Parameter(Mandatory = $true)] [bool] $Passed,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $plain = Hide-NodeSecret -Text $Message
    $script:Run.Preflight += [ordered]@{ id = $Id; verdict = $Verdict; passed = $Passed; message = $plain }
    $word = if ($Passed) { 'ok' } else { $Verdict }
    $level = if ($Passed) { 'info' } elseif ($Verdict -eq 'fail') { 'fail' } else { 'warn' }
    Write-NodeLog -Level $level -Step $Id -Message "preflight $word $plain"
    Write-NodeLine -Text ('{0,8}  {1,-11}  {2,-28}  {3}' -f 'check', $word, $Id, $plain)
}

function Invoke-NodePreflight {
    # Asks all checks of a phase, so that all their verdicts are told at once.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [ValidateSet('image', 'join', 'boot')] [string] $Phase)

    foreach ($check in $script:Run.Document['preflight']) {
        # A start of the machine runs unwatched: only what is meant for it may stop it.
        $any = $check['phases'] -ccontains 'any' -and $Phase -ne 'boot'
        if (-not $any -and $check['phases'] -cnotcontains $Phase) { continue }
        $test = Get-Command -Name $script:PreflightKind[$check['kind']] -CommandType Function
        $arguments = @{}
        if ($test.Parameters.ContainsKey('Need')) { $arguments['Need'] = ConvertTo-NodeMap -Pair $check['with'] }
        try {
            $passed = [bool](& $test @arguments -InformationVariable said -InformationAction SilentlyContinue)
            $message = @($said) -join '; '
        } catch {
            $passed = $false
            $message = $_.Exception.Message
        }
        Add-NodePreflight -Id $check['id'] -Verdict $check['verdict'] -Passed $passed -Message $message
    }
}

function Test-NodeRefusal {
    # Whether a check forbids to go on: this machine cannot, or it must restart first.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $against = @($script:Run.Preflight | Where-Object -FilterScript {
            -not $_['passed'] -and $_['verdict'] -ne 'warn'
        })
    $against.Count -gt 0
}
