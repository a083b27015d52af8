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
    Write-NodeRow -Place 'check' -State $word -Id $Id -Text $plain
}

function Invoke-NodePreflight {
    # Asks all checks of a phase, or those of one kind, so that all their verdicts are told at once.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('image', 'beforeJoin', 'afterJoin', 'boot')] [string] $Phase,
        [Parameter()] [string] $Kind = ''
    )

    foreach ($check in $script:Run.Document['preflight']) {
        # A start of the machine runs unwatched: only what is meant for it may stop it.
        $any = $check['phases'] -ccontains 'any' -and $Phase -ne 'boot'
        if (-not $any -and $check['phases'] -cnotcontains $Phase) { continue }
        if ($Kind -ne '' -and $check['kind'] -cne $Kind) { continue }
        $test = Get-Command -Name $script:PreflightKind[$check['kind']] -CommandType Function
        $arguments = @{}
        if ($test.Parameters.ContainsKey('Need')) { $arguments['Need'] = ConvertTo-NodeMap -Pair $check['with'] }
        try {
            $passed = [bool](& $test @arguments)
            $message = Read-NodeDetail
        } catch {
            $passed = $false
            $null = Read-NodeDetail
            $message = $_.Exception.Message
        }
        Add-NodePreflight -Id $check['id'] -Verdict $check['verdict'] -Passed $passed -Message $message
    }
}

function Get-NodeRefusal {
    # Ids of the checks that forbid to go on: this machine cannot, or it must restart first.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    foreach ($check in $script:Run.Preflight) {
        if (-not $check['passed'] -and $check['verdict'] -ne 'warn') { $check['id'] }
    }
}

function Test-NodeRefusal {
    # Whether a check forbids to go on.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    @(Get-NodeRefusal).Count -gt 0
}
