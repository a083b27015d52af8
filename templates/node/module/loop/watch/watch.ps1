# Watch-Node: whether the reconcile loop has something to do.

# Hours until a complete run must look again: it also checks the Services, and access lists.
$script:CompleteHours = 1

function Watch-Node {
    # Whether a node that has joined is as the last complete run left it, and healthy: the result of a run that
    # found nothing to do, or nothing if a complete run is needed.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder with node.json.
        [Parameter(Mandatory = $true)] [string] $Path
    )

    try {
        Initialize-NodeRun -Path $Path
        $script:Run.Hns = @{}
        $file = Join-Path -Path $script:Run.Bundle -ChildPath 'node.json'
        $script:Run.Document = ConvertFrom-NodeJson -Text (Read-NodeText -LiteralPath $file)
        $folder = $script:Run.Document['paths']['state']
        $script:Run.State = ConvertFrom-NodeJson -Text (Read-NodeText -LiteralPath "$folder\state.json")
        $why = Get-NodeChange
        if ($why -eq '') { $why = Get-NodeUnhealthyCheck }
        if ($why -eq '') { $why = Get-NodeUnreadiness }
        if ($why -ne '') {
            Write-Verbose -Message "a complete run is needed: $why"
            return
        }
        $since = $script:Run.State['seen']['at']
        ConvertTo-NodeResult -Kind NodeResult -ExitCode 0 -Message "unchanged and healthy since $since"
    } catch {
        # The complete run meets the same problem, and reports it.
        Write-Verbose -Message $_.Exception.Message
    } finally {
        $script:Run = $null
    }
}

function Get-NodeChange {
    # What differs from the last complete run, or an empty string. The work that an earlier run has left is a
    # difference, too.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $state = $script:Run.State
    $seen = $state['seen']
    if ($null -eq $seen -or $seen.Count -eq 0) { return 'no complete run has found the node healthy' }
    if (-not $state['joined'] -or (Get-NodeSuspension) -ne '') { return 'the loop is suspended' }
    if (@($state['stopped']).Count -gt 0) { return 'services are stopped' }
    if (@($state['doubts']).Count -gt 0) { return "$(@($state['doubts']) -join ', ') failed once" }
    $asked = @($state['restarts']).Count -gt 0 -and (Test-NodeSameBoot -Noted $state['boot'])
    if ($asked) { return 'a restart is pending' }
    if ("$($state['bundle'])" -cne "$($script:Run.Document['sha256'])") { return 'the bundle is another' }
    $at = [DateTimeOffset]::Parse($seen['at'], $script:Invariant).UtcDateTime
    $now = Read-NodeClock
    if ($now -lt $at -or $now -ge $at.AddMinutes(60 * $script:CompleteHours)) { return 'a complete run is due' }
    $until = [DateTimeOffset]::Parse($seen['until'], $script:Invariant).UtcDateTime
    if ($now -ge $until) { return 'the certificate' }
    if (-not (Test-NodeSameBoot -Noted $seen['boot'])) { return 'the machine has restarted' }
    foreach ($name in @($seen['traces'].Keys)) {
        if ((Read-NodeTrace -Name $name) -cne $seen['traces'][$name]) { return $name }
    }
    foreach ($step in @(Get-NodeLogStep)) {
        if ($step['kind'] -ceq 'logRotation') {
            if (-not (Test-NodeLogRotation -Step $step)) { return $step['path'] }
        } elseif (@(Get-NodeExcessLog -Log $step['log']).Count -gt 0) {
            return $step['log']['path']
        }
    }
    ''
}

function Get-NodeUnhealthyCheck {
    # The first health check whose verdict is not as recorded, or that fails; an empty string if there is none.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $noted = $script:Run.State['health']
    foreach ($id in @($noted.Keys)) { if ($noted[$id] -ceq 'fail') { return $id } }
    foreach ($check in @(Get-NodeHealth)) {
        $before = if ($null -ne $noted[$check['id']]) { $noted[$check['id']] } else { 'ok' }
        if ($check['verdict'] -cne $before) { return $check['id'] }
        $script:Run.Health += $check
    }
    ''
}
