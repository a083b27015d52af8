# Join-Node: the phases of a join, then the phase boot.

function Join-Node {
    # Joins this machine to its cluster, starts the pod network and kube-proxy, and records that the machine has
    # joined. Join-WinNode.ps1 has the help.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        # Token is the bootstrap token: PowerShell can log an argument that is a string.
        [Parameter()] [hashtable] $Secret = @{ Token = '' },
        [Parameter()] [AllowEmptyString()] [string] $TokenFile = '',
        [Parameter()] [ValidateSet('', 'beforeJoin', 'afterJoin')] [string] $Phase = '',
        [Parameter()] [string[]] $Accept = @(),
        [Parameter()] [int] $TimeoutMinutes = 10,
        [Parameter()] [AllowEmptyString()] [string] $BundleDigest = '',
        [Parameter()] [int] $RestartExitCode = 3010
    )

    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'join')
    $open = @{ Path = $Path; Writes = $writes }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        $script:Run.Token = "$($Secret['Token'])"
        if ($script:Run.Token -ne '') { $script:Run.Secrets += $script:Run.Token }
        if ($TokenFile -ne '') { Read-NodeTokenFile -LiteralPath $TokenFile }
        $script:Run.Accept = @($Accept)
        # kubeadm has its own time limits, up to five minutes each, and reports the reason: it is never aborted.
        $script:Run.Deadline = (Read-NodeClock).AddMinutes($TimeoutMinutes)
        $script:Run.Elsewhere = $Phase -ne ''
        $name = if ($Phase -eq '') { 'join' } else { $Phase }
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), phase $name"
        $after = $Phase -eq 'afterJoin'
        Invoke-NodePreflight -Phase $(if ($after) { 'afterJoin' } else { 'beforeJoin' })
        if ($BundleDigest -ne '') { Assert-NodeBundle -Digest $BundleDigest }
        if ($Phase -eq '') { Assert-NodeToken } else { Assert-NodeJoinElsewhere -Phase $Phase }
        Assert-NodeOwner
        if (-not (Test-NodeRefusal)) { Assert-NodeEarlier -Phase image }
        if ($after -and -not (Test-NodeRefusal)) { Assert-NodeEarlier -Phase beforeJoin }
        if (Test-NodeRefusal) { return }
        if ($writes) { Save-NodeBundle }
        # If a run was aborted while HNS moved the adapter, the machine has no address for seconds.
        if ($writes) { $null = Wait-NodeAddress }
        $late = @(Get-NodePhaseStep -Phase image | Where-Object -FilterScript { Test-NodeStepUsesFact -Step $_ })
        $well = Invoke-NodePhase -Step ($late + @(Get-NodePhaseStep -Phase $script:JoinPhases[$Phase]))
        if ($Phase -eq 'beforeJoin') {
            if ($WhatIfPreference) { return }
            if ($well) { Initialize-NodeJoinElsewhere }
            Complete-NodeRun -Well $well
            return
        }
        if ($well -and -not $WhatIfPreference -and -not $script:Run.State['joined']) {
            # Before the boot steps: if they fail, the scheduled task retries them at the next boot.
            $script:Run.State['joined'] = $true
            # The loop waits for it: while a plugin creates its network, only another adapter may have an address.
            $script:Run.State['address'] = Get-NodeFact -Name 'nodeIP'
            Save-NodeState
        }
        if ($well) { $well = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase boot) }
        if ($WhatIfPreference) { return }
        Complete-NodeRun -Well $well
        if ($well) { Wait-NodeReady }
        if ($well -and $TokenFile -ne '') { Add-NodeTokenFile -LiteralPath $TokenFile }
    }
}
