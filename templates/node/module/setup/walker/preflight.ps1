# Runs the preflight checks, all of them before any result stops the run.

function Add-NodePreflight {
    # Stores the result of a check, and prints it.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Id,
        [Parameter(Mandatory = $true)] [ValidateSet('fail', 'restart', 'warn')] [string] $Verdict,
        [Parameter(Mandatory = $true)] [bool] $Passed,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $plain = Hide-NodeSecret -Text $Message
    $script:Run.Preflight += [ordered]@{ id = $Id; verdict = $Verdict; passed = $Passed; message = $plain }
    if ($script:Run.Quiet -and ($Passed -or $Verdict -eq 'warn')) { return }
    $word = if ($Passed) { 'ok' } else { $Verdict }
    $level = if ($Passed) { 'info' } elseif ($Verdict -eq 'fail') { 'fail' } else { 'warn' }
    Write-NodeLog -Level $level -Step $Id -Message "preflight $word $plain"
    Write-NodeRow -Place 'check' -State $word -Id $Id -Text $plain
}

function Invoke-NodePreflight {
    # Runs the checks of a phase, all or only some kinds.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('image', 'beforeJoin', 'afterJoin', 'boot')] [string] $Phase,
        [Parameter()] [string[]] $Kind = @()
    )

    foreach ($check in $script:Run.Document['preflight']) {
        # The reconcile loop runs unattended: it runs only the checks for its phase.
        $any = $check['phases'] -ccontains 'any' -and $Phase -ne 'boot'
        if (-not $any -and $check['phases'] -cnotcontains $Phase) { continue }
        if ($Kind.Count -gt 0 -and $Kind -cnotcontains $check['kind']) { continue }
        try {
            $function = $script:PreflightKind[$check['kind']]
            $passed = [bool](Invoke-NodeCheck -Function $function -Pair $check['with'])
            $message = Read-NodeDetail
        } catch {
            $passed = $false
            $null = Read-NodeDetail
            $message = $_.Exception.Message
        }
        $verdict = $check['verdict']
        # Another Windows is already installed: stopping the reconcile loop would not remove it.
        if ($Phase -eq 'boot' -and ($check['kind'] -ceq 'windowsBuild' -or $check['kind'] -clike 'revision*')) {
            $first = $verdict -eq 'fail' -and -not $passed -and $script:Run.Lack -eq ''
            if ($first) { $script:Run.Lack = $message }
            $verdict = 'warn'
        }
        Add-NodePreflight -Id $check['id'] -Verdict $verdict -Passed $passed -Message $message
    }
}

function Get-NodeRefusal {
    # IDs of the checks that stop the run: the machine is not suitable, or must restart first.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    foreach ($check in $script:Run.Preflight) {
        if (-not $check['passed'] -and $check['verdict'] -ne 'warn') { $check['id'] }
    }
}

function Test-NodeRefusal {
    # Whether a check stops the run.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    @(Get-NodeRefusal).Count -gt 0
}
