# Join-Node: the phases of a join, then the first boot.

function Join-Node {
    <#
        .SYNOPSIS
            Makes this machine a node of its cluster.

        .DESCRIPTION
            Refuses before any change where the image is not as wanted, a file is missing, or there is no
            token. Then joins, starts the network and kube-proxy, and remembers that the machine has joined. Ends
            with 0 only when the cluster says that the Node is Ready.

            Where somebody else runs kubeadm: beforeJoin does what comes before it, and needs no token; afterJoin
            does what comes after it, and refuses where the machine is no member.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        # Bootstrap token; node.json may name a file on the node instead.
        [Parameter()] [AllowEmptyString()] [string] $Token = '',
        # A file whose first line is the token, where there is no -Token.
        [Parameter()] [AllowEmptyString()] [string] $TokenFile = '',
        # All of it, or what comes before or after a kubeadm that somebody else runs.
        [Parameter()] [ValidateSet('', 'beforeJoin', 'afterJoin')] [string] $Phase = '',
        # Names of differences between cluster and bundle that do not matter here.
        [Parameter()] [string[]] $Accept = @(),
        # Minutes in which the cluster must have answered, and the Node be Ready.
        [Parameter()] [int] $TimeoutMinutes = 10,
        # Digest of the bundle that whoever runs kubeadm has in mind.
        [Parameter()] [AllowEmptyString()] [string] $BundleDigest = '',
        # Exit code that asks the caller for a restart.
        [Parameter()] [int] $RestartExitCode = 3010
    )

    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'join')
    $open = @{ Path = $Path; Writes = $writes; Secret = @($Token) }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        $script:Run.Token = $Token
        if ($TokenFile -ne '') { Read-NodeTokenFile -LiteralPath $TokenFile }
        $script:Run.Accept = @($Accept)
        # kubeadm has limits of its own, up to five minutes each, and says why at their end: it is never cut off.
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
        # A run that was cut off while the network took the adapter leaves it without an address for seconds.
        if ($writes) { Wait-NodeAddress }
        $late = @(Get-NodePhaseStep -Phase image | Where-Object -FilterScript { Test-NodeStepUsesFact -Step $_ })
        $well = Invoke-NodePhase -Step ($late + @(Get-NodePhaseStep -Phase $script:JoinPhases[$Phase]))
        if ($Phase -eq 'beforeJoin') {
            if ($WhatIfPreference) { return }
            if ($well) { Initialize-NodeJoinElsewhere }
            Complete-NodeRun -Well $well
            return
        }
        if ($well -and -not $WhatIfPreference -and -not $script:Run.State['joined']) {
            # Before the boot steps: if those fail, the boot task tries them again at the next start.
            $script:Run.State['joined'] = $true
            Save-NodeState
        }
        if ($well) { $well = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase boot) }
        if ($WhatIfPreference) { return }
        Complete-NodeRun -Well $well
        if ($well) { Wait-NodeReady }
        if ($well -and $TokenFile -ne '') { Add-NodeTokenFile -LiteralPath $TokenFile }
    }
}
