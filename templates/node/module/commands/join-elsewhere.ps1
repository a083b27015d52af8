# A join whose middle, kubeadm, somebody else runs, as Cluster API does.

# What Join walks. After somebody else's kubeadm the step that joins has only to take away what served for it.
$script:JoinPhases = @{
    ''         = 'beforeJoin', 'join', 'afterJoin'
    beforeJoin = @('beforeJoin')
    afterJoin  = 'join', 'afterJoin'
}

function Assert-NodeJoinElsewhere {
    # Refuses a part of a join that cannot be one here: nobody else joins without kubeadm, and what comes after it
    # wants a member.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [ValidateSet('beforeJoin', 'afterJoin')] [string] $Phase)

    $step = Get-NodeJoinStep
    $member = Get-NodeMember -Step $step
    $message = if ($step['kind'] -cne 'kubeadmJoin') {
        'this bundle joins without kubeadm: run Join-WinNode.ps1 without -Phase'
    } elseif ($Phase -eq 'afterJoin' -and $member.State -ne 'member') {
        "$($member.Text); run kubeadm first, and before it Join-WinNode.ps1 -Phase beforeJoin"
    } elseif ($member.State -ceq 'renamed') {
        "$($member.Text); run Reset-WinNode.ps1 first"
    } elseif ($member.State -ceq 'early') {
        "$($member.Text); set the clock"
    }
    $good = $null -eq $message
    if ($good) { $message = $member.Text }
    Add-NodePreflight -Id 'kubeadm-elsewhere' -Verdict fail -Passed $good -Message $message
}

function Initialize-NodeJoinElsewhere {
    # Makes the way free for a kubeadm that somebody else runs: notes what is there before it, for Reset, and takes
    # away what one that was cut off has left, over which the next would stumble.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $step = Get-NodeJoinStep
    if ((Get-NodeMember -Step $step).State -ceq 'member') { return }
    Save-NodeBefore -Step $step
    # One that runs may have asked for its certificate already.
    if (-not (Test-NodeServiceActive -Name 'kubelet')) { Clear-NodePartialJoin -Step $step }
    $script:Run.Message = 'ready for kubeadm; run Join-WinNode.ps1 -Phase afterJoin after it'
}
