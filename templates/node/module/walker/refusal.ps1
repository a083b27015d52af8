# Checks that depend on the steps: the token, the image, and pods that run.

function Assert-NodeToken {
    # Refuses a join without a token, or with one that cannot be one.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    foreach ($step in @(Get-NodePhaseStep -Phase join)) {
        if ($step['kind'] -cne 'kubeadmJoin') { continue }
        # A kubelet that asks already needs none.
        $token = Get-NodeToken -Step $step
        $does = $script:MemberState[(Get-NodeMember -Step $step).State].Join
        if ($does -cin 'nothing', 'refuse' -or ($does -ceq 'wait' -and $token -eq '')) { continue }
        $good = $token -cmatch $script:TokenForm
        $message = if ($good) {
            'there is a token'
        } elseif ($token -eq '') {
            'there is no token: give -TokenFile, -Token, or WINNODE_TOKEN'
        } else {
            'the token does not have the form of a bootstrap token'
        }
        Add-NodePreflight -Id 'join-token' -Verdict fail -Passed $good -Message $message
    }
}

function Assert-NodeSameName {
    # Tells where a machine that has joined is called otherwise by now. It stops nothing: all goes on under the
    # name that the cluster knows.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $step = Get-NodeJoinStep
    if ($null -eq $step) { return }
    $member = Get-NodeMember -Step $step
    if ($member.Name -eq '' -or $member.Name -ceq $member.Wanted) { return }
    $text = "$($member.Text); it goes on as $($member.Name)"
    Add-NodePreflight -Id 'node-name' -Verdict warn -Passed $false -Message $text
}

# What brings an earlier phase about.
$script:Earlier = @{
    image      = @{ Id = 'image'; Script = 'Install-WinNode.ps1' }
    beforeJoin = @{ Id = 'before-join'; Script = 'Join-WinNode.ps1 -Phase beforeJoin' }
}

function Assert-NodeEarlier {
    # Refuses a join where the steps of an earlier phase are not as they should be. What holds facts of the node
    # in an image was written on the machine that the image was made on; Join writes it anew.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [ValidateSet('image', 'beforeJoin')] [string] $Phase)

    $id = $script:Earlier[$Phase].Id
    $mend = $script:Earlier[$Phase].Script
    # What a machine that runs changes by itself stands in no way: containerd's log grows in an image, too, and the
    # kubelet sets access lists. https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet.go
    $runs = @('logRotation')
    if ((Get-NodeJoinState) -cin 'member', 'waiting') { $runs += 'directory' }
    $grown = @()
    $wrong = @(foreach ($step in @(Get-NodePhaseStep -Phase $Phase)) {
            if ($Phase -eq 'image' -and (Test-NodeStepUsesFact -Step $step)) { continue }
            $result = Invoke-NodeStep -Step $step -TestOnly
            if ($result['state'] -eq 'Unchanged') { continue }
            $text = '{0} ({1})' -f $result['id'], $result['detail']
            if ($runs -ccontains $step['kind']) { $grown += $text } else { $text }
        })
    if ($grown.Count -gt 0) {
        $text = "these differ on a machine that runs, $mend repairs them: $($grown -join ', ')"
        Add-NodePreflight -Id "$id-running" -Verdict warn -Passed $false -Message $text
    }
    $message = if ($wrong.Count -eq 0) { "the steps of $Phase are as wanted" } else {
        "run $mend first; these differ: $($wrong -join ', ')"
    }
    Add-NodePreflight -Id $id -Verdict fail -Passed ($wrong.Count -eq 0) -Message $message
}

function Assert-NodeDrained {
    # Refuses to replace what carries pods on a machine that has joined, while pods run that nothing would
    # bring back.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    if (-not $script:Run.State['joined'] -or $script:Run.Force) { return }
    $services = @(foreach ($step in @(Get-NodePhaseStep -Phase image)) {
            if ((Invoke-NodeStep -Step $step -TestOnly)['state'] -ne 'Different') { continue }
            if ($step['kind'] -ceq 'service') { $step['name'] }
            $paths = @($step['path']) + @($step['members'] | Where-Object -FilterScript { $null -ne $_ } |
                    ForEach-Object -Process { $_['path'] })
            foreach ($path in $paths) { if ($path) { Get-NodeServiceUsing -LiteralPath $path } }
        })
    $stop = @(Get-NodeServiceToStop -Name $services)
    if ($stop -notcontains 'kubelet' -and $stop -notcontains 'containerd') { return }
    $pods = @(Get-NodeWorkload)
    $message = if ($pods.Count -eq 0) { 'no pods run that a DaemonSet does not bring back' } else {
        "drain the node first, or give -Force: $($pods -join ', ')"
    }
    Add-NodePreflight -Id 'drained' -Verdict fail -Passed ($pods.Count -eq 0) -Message $message
}

function Assert-NodeSameNetwork {
    # Refuses to give a member another network: the rules and files of the one that it has would go now, and the
    # network and what hangs on it only with Reset.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    if (-not $script:Run.State['joined']) { return }
    $gone = @(Get-NodeOrphan | Where-Object -FilterScript { $_['kind'] -ceq 'hnsNetwork' } |
            ForEach-Object -Process { $_['name'] })
    if ($gone.Count -eq 0) { return }
    $message = "this node has the network $($gone -join ', '), and this bundle makes another one: run " +
    'Reset-WinNode.ps1, then Install-WinNode.ps1 and Join-WinNode.ps1'
    Add-NodePreflight -Id 'network-stays' -Verdict fail -Passed $false -Message $message
}

# Programs that read again what they wrote before.
$script:Remembering = '\\(kubelet|containerd)\.exe$'

function Assert-NodeNotOlder {
    # Refuses to put an older minor version over what a newer one wrote on a member: containerd supports the way to
    # the next one only. https://github.com/containerd/containerd/blob/main/RELEASES.md#upgrade-path
    [CmdletBinding()]
    [OutputType([void])]
    param()

    if (-not $script:Run.State['joined']) { return }
    $older = @(foreach ($step in @(Get-NodePhaseStep -Phase image)) {
            $program = @(Get-NodeStepPath -Step $step) -match $script:Remembering
            $receipt = Get-NodeReceipt -Step $step
            if ($program.Count -eq 0 -or $null -eq $receipt) { continue }
            $has = Get-NodeMinor -Url $receipt['url']
            $wanted = Get-NodeMinor -Url $step['url']
            if ($null -ne $has -and $null -ne $wanted -and $wanted.Rank -lt $has.Rank) {
                "$($program[0]) is of $($has.Text), this bundle has $($wanted.Text)"
            }
        })
    if ($older.Count -eq 0) { return }
    $message = "$($older -join ', '): the way back is Reset-WinNode.ps1, then Install and Join from this bundle"
    Add-NodePreflight -Id 'not-older' -Verdict fail -Passed $false -Message $message
}

function Get-NodeMinor {
    # The minor version that an address names last, and a number that grows with it; or nothing.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyString()] [string] $Url)

    # An IPv4 address has four numbers.
    $found = @([regex]::Matches($Url, '(?<![\d.])(\d{1,3})\.(\d{1,3})\.\d+(?!\.?\d)'))
    if ($found.Count -eq 0) { return }
    $major, $minor = foreach ($group in 1, 2) { [int]$found[-1].Groups[$group].Value }
    @{ Text = "$major.$minor"; Rank = 1000 * $major + $minor }
}
