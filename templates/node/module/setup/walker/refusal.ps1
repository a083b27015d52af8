# Checks that depend on the steps: token, image, and running pods.

function Assert-NodeToken {
    # Checks that a join has a bootstrap token of a valid form.
    [CmdletBinding()]
    param()

    foreach ($step in @(Get-NodePhaseStep -Phase join)) {
        if ($step['kind'] -cne 'kubeadmJoin') { continue }
        # If the kubelet has already created a CSR, no token is needed.
        $token = Get-NodeToken -Step $step
        $does = $script:MemberState[(Get-NodeMembership -Step $step).State].Join
        if ($does -cin 'nothing', 'refuse' -or ($does -ceq 'wait' -and $token -eq '')) { continue }
        $good = $token -cmatch $script:TokenForm
        $message = if ($good) {
            'a bootstrap token is given'
        } elseif ($token -eq '') {
            'no bootstrap token: use -TokenFile, -Token, or WINNODE_TOKEN'
        } else {
            'the token does not have the form of a bootstrap token'
        }
        Add-NodePreflight -Id 'join-token' -Verdict fail -Passed $good -Message $message
    }
}

function Assert-NodeSameName {
    # Reports a host name that differs from the node name of a machine that has joined. It stops nothing: the node
    # keeps the name under which it is registered.
    [CmdletBinding()]
    param()

    $member = Get-NodeMembership
    if ($member.Name -eq '' -or $member.Name -ceq $member.Wanted) { return }
    $text = "$($member.Text); the node name stays $($member.Name)"
    Add-NodePreflight -Id 'node-name' -Verdict warn -Passed $false -Message $text
}

# The script that runs an earlier phase.
$script:Earlier = @{
    image      = @{ Id = 'image'; Script = 'Install-WinNode.ps1' }
    beforeJoin = @{ Id = 'before-join'; Script = 'Join-WinNode.ps1 -Phase beforeJoin' }
}

function Assert-NodeEarlier {
    # Stops a join if steps of an earlier phase differ. Files with node facts in an image are from the machine on
    # which the image was created; Join writes them again.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [ValidateSet('image', 'beforeJoin')] [string] $Phase)

    $id = $script:Earlier[$Phase].Id
    $fix = $script:Earlier[$Phase].Script
    # Differences that a running machine causes itself do not stop a join: containerd's log grows in an image, too,
    # and the kubelet sets access lists.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet.go
    $runs = @('logRotation')
    if ((Get-NodeMembership).State -cin 'member', 'waiting') { $runs += 'directory' }
    $grown = @()
    $wrong = @(foreach ($step in @(Get-NodePhaseStep -Phase $Phase)) {
            if ($Phase -eq 'image' -and (Test-NodeStepUsesFact -Step $step)) { continue }
            $result = Invoke-NodeStep -Step $step -TestOnly
            if ($result['state'] -eq 'Unchanged') { continue }
            $text = '{0} ({1})' -f $result['id'], $result['detail']
            if ($runs -ccontains $step['kind']) { $grown += $text } else { $text }
        })
    if ($grown.Count -gt 0) {
        $text = "these differ because the machine has been running; to fix: run ${fix}: $($grown -join ', ')"
        Add-NodePreflight -Id "$id-running" -Verdict warn -Passed $false -Message $text
    }
    $message = if ($wrong.Count -eq 0) { "all steps of phase $Phase match" } else {
        "run $fix first; these differ: $($wrong -join ', ')"
    }
    Add-NodePreflight -Id $id -Verdict fail -Passed ($wrong.Count -eq 0) -Message $message
}

function Assert-NodeDrained {
    # Stops before services that run pods are replaced on a node that has joined, while pods run that no DaemonSet
    # would start again.
    [CmdletBinding()]
    param()

    if (-not $script:Run.State['joined'] -or $script:Run.Force) { return }
    $services = @(foreach ($step in @(Get-NodePhaseStep -Phase image)) {
            if ((Invoke-NodeStep -Step $step -TestOnly)['state'] -ne 'Different') { continue }
            if ($step['kind'] -ceq 'service') { $step['name'] }
            $paths = @($step['path']) + @(foreach ($member in $step['members']) { $member['path'] })
            foreach ($path in $paths) { if ($path) { Get-NodeServiceUsing -LiteralPath $path } }
        })
    $stop = @(Get-NodeServiceToStop -Name $services)
    if ($stop -notcontains 'kubelet' -and $stop -notcontains 'containerd') { return }
    $pods = @(Get-NodeWorkload)
    $message = if ($pods.Count -eq 0) { 'no running pods except DaemonSet pods' } else {
        "drain the node first, or use -Force: $($pods -join ', ')"
    }
    Add-NodePreflight -Id 'drained' -Verdict fail -Passed ($pods.Count -eq 0) -Message $message
}

function Assert-NodeSameNetwork {
    # Stops before a node that has joined gets another pod network: the rules and files of the present one would be
    # removed now, but the network and its endpoints only by Reset.
    [CmdletBinding()]
    param()

    if (-not $script:Run.State['joined']) { return }
    $gone = @(Get-NodeOrphan | Where-Object -FilterScript { $_['kind'] -ceq 'hnsNetwork' } |
            ForEach-Object -Process { $_['name'] })
    if ($gone.Count -eq 0) { return }
    $message = "this node has the network $($gone -join ', '), but this bundle creates another one: run " +
    'Reset-WinNode.ps1, then Install-WinNode.ps1 and Join-WinNode.ps1'
    Add-NodePreflight -Id 'network-stays' -Verdict fail -Passed $false -Message $message
}

# Programs that read data of their earlier versions.
$script:Remembering = '\\(kubelet|containerd)\.exe$'

function Assert-NodeNotOlder {
    # Stops before an older minor version replaces a newer one on a node that has joined: containerd supports
    # upgrades to the next minor only. https://github.com/containerd/containerd/blob/main/RELEASES.md#upgrade-path
    [CmdletBinding()]
    param()

    if (-not $script:Run.State['joined']) { return }
    $older = @(foreach ($step in @(Get-NodePhaseStep -Phase image)) {
            $program = @(Get-NodeStepPath -Step $step) -match $script:Remembering
            $receipt = Get-NodeReceipt -Step $step
            if ($program.Count -eq 0 -or $null -eq $receipt) { continue }
            $has = Get-NodeMinor -Url $receipt['url']
            $wanted = Get-NodeMinor -Url $step['url']
            if ($null -ne $has -and $null -ne $wanted -and $wanted.Rank -lt $has.Rank) {
                "$($program[0]) is $($has.Text), this bundle has $($wanted.Text)"
            }
        })
    if ($older.Count -eq 0) { return }
    $message = "$($older -join ', '): to downgrade, run Reset-WinNode.ps1, then Install and Join of this bundle"
    Add-NodePreflight -Id 'not-older' -Verdict fail -Passed $false -Message $message
}

function Get-NodeMinor {
    # The last minor version in a URL, and a number for comparison; or nothing.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyString()] [string] $Url)

    # An IPv4 address has four numbers.
    $found = @([regex]::Matches($Url, '(?<![\d.])(\d{1,3})\.(\d{1,3})\.\d+(?!\.?\d)'))
    if ($found.Count -eq 0) { return }
    $major, $minor = foreach ($group in 1, 2) { [int]$found[-1].Groups[$group].Value }
    @{ Text = "$major.$minor"; Rank = 1000 * $major + $minor }
}
