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
    $remedy = Get-NodeElsewhereRemedy -State $member.State -Phase $Phase
    $message = if ($step['kind'] -cne 'kubeadmJoin') {
        'this bundle joins without kubeadm: run Join-WinNode.ps1 without -Phase'
    } elseif ($remedy -ne '') { "$($member.Text); $remedy" }
    $good = $null -eq $message
    if ($good) { $message = $member.Text }
    Add-NodePreflight -Id 'kubeadm-elsewhere' -Verdict fail -Passed $good -Message $message
    $idle = @(if ($good -and $Phase -ceq 'afterJoin') { Get-NodeIdleArgument })
    if ($idle.Count -gt 0) {
        $text = "kubeadm was given what the kubelet does not read; say it in the profile: $($idle -join ' ')"
        Add-NodePreflight -Id 'kubelet-arguments' -Verdict warn -Passed $false -Message $text
    }
}

function Assert-NodeBundle {
    # Refuses an image that was made from another bundle than the one that its template was rendered with.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Digest)

    $own = "$($script:Run.Document['sha256'])"
    $same = $own -ceq $Digest
    $message = "the bundle is $own"
    if (-not $same) { $message += ", and $Digest is asked for: make the image from that one" }
    Add-NodePreflight -Id 'bundle' -Verdict fail -Passed $same -Message $message
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
    Clear-NodePartialJoin -Step $step
    $script:Run.Message = 'ready for kubeadm; run Join-WinNode.ps1 -Phase afterJoin after it'
}
