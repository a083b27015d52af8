# A join in which another program, such as Cluster API, runs kubeadm.

# Phases of each part of a join. After another program has run kubeadm, the phase join only deletes credentials.
$script:JoinPhases = @{
    ''         = 'beforeJoin', 'join', 'afterJoin'
    beforeJoin = @('beforeJoin')
    afterJoin  = 'join', 'afterJoin'
}

function Assert-NodeJoinElsewhere {
    # Stops a part of a join that is impossible: without kubeadm there is no part for another program, and the part
    # after kubeadm needs a machine that has joined.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [ValidateSet('beforeJoin', 'afterJoin')] [string] $Phase)

    $step = Get-NodeJoinStep
    $member = Get-NodeMembership
    $remedy = Get-NodeElsewhereRemedy -State $member.State -Phase $Phase
    $message = if ($step['kind'] -cne 'kubeadmJoin') {
        'this bundle joins without kubeadm: run Join-WinNode.ps1 without -Phase'
    } elseif ($remedy -ne '') { "$($member.Text); $remedy" }
    $good = $null -eq $message
    if ($good) { $message = $member.Text }
    Add-NodePreflight -Id 'kubeadm-elsewhere' -Verdict fail -Passed $good -Message $message
    $idle = @(if ($good -and $Phase -ceq 'afterJoin') { Get-NodeIdleArgument })
    if ($idle.Count -gt 0) {
        $text = "the kubelet ignores these arguments of kubeadm; set them in the profile: $($idle -join ' ')"
        Add-NodePreflight -Id 'kubelet-arguments' -Verdict warn -Passed $false -Message $text
    }
}

function Assert-NodeBundle {
    # Stops if the image was created from another bundle than the one that its template was rendered with.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Digest)

    # Not that of the whole bundle: machines with another README need no new image.
    $own = "$($script:Run.Document['nodeDigest'])"
    $same = $own -ceq $Digest
    $message = "the bundle's nodeDigest is $own"
    if (-not $same) { $message += ", expected ${Digest}: create the image from that bundle" }
    Add-NodePreflight -Id 'bundle' -Verdict fail -Passed $same -Message $message
}

function Initialize-NodeJoinElsewhere {
    # Prepares the machine for a kubeadm that another program runs: saves the previous state for Reset, and deletes
    # the files of an aborted kubeadm, which would stop the next one.
    [CmdletBinding()]
    param()

    $step = Get-NodeJoinStep
    $member = Get-NodeMembership
    Assert-NodeOwnMember -Member $member
    if ($member.State -ceq 'member') { return }
    Save-NodeBefore -Step $step
    Clear-NodePartialJoin -Step $step
    $script:Run.Message = 'ready for kubeadm; run Join-WinNode.ps1 -Phase afterJoin after it'
}
