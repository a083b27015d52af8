# kubeadmJoin: the machine joins its cluster with kubeadm.

$script:StepKind['kubeadmJoin'] = @{
    Noun    = 'NodeKubeadmJoin'
    Subject = 'kubeconfig'
    Class   = 'membership'
    Reset   = 'always'
}

function Test-NodeKubeadmJoin {
    # True if the machine has joined, kubeadm's CA file exists, and the token and the bootstrap credentials are
    # deleted.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $same = Test-NodeMembership -Step $Step -Leftover @(Get-NodeJoinLeftover -Step $Step)
    $ca = Get-NodeKubeadmAuthority -Step $Step
    if (-not $same -or $ca -eq '' -or (Test-Path -LiteralPath $ca)) { return $same }
    Write-NodeDetail -Text "$ca is missing: the kubelet does not start without it"
    $false
}

function Set-NodeKubeadmJoin {
    # Joins, unless the machine has joined, and deletes the credentials used for it. If the kubelet has already
    # created a CSR, waits for it: another join would only create another CSR. A missing CA file gets the CA of
    # kubelet.conf: kubeadm has both from its discovery.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/cmd/phases/join/kubelet.go
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($script:Run.Document['name'], 'join with kubeadm')) { return }
    $member = Get-NodeMembership -Step $Step
    Assert-NodeOwnMember -Member $member
    if ($member.State -ne 'member') {
        $script:Run.Since = Read-NodeClock
        if (-not (Test-NodeJoinUnderway -Step $Step -Member $member)) { Join-NodeKubeadm -Step $Step }
        Wait-NodeCertificate -Step $Step
    }
    $ca = Get-NodeKubeadmAuthority -Step $Step
    if ($ca -ne '' -and -not (Test-Path -LiteralPath $ca)) {
        Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $ca)
        Write-NodeText -LiteralPath $ca -Text (Get-NodeMembership -Step $Step).Ca
    }
    Clear-NodeJoinLeftover -Step $Step
}

function Test-NodeJoinUnderway {
    # Whether an earlier join is still in progress: a kubelet that runs, with a CSR that can still be approved.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [hashtable] $Member
    )

    if ($Member.State -ne 'waiting' -or -not (Test-NodeServiceActive -Name 'kubelet')) { return $false }
    # kubeadm deletes its bootstrap kubeconfig when it is done: if the file exists, kubeadm was aborted.
    if (Test-Path -LiteralPath $Step['bootstrapKubeconfig']) { return $false }
    $null = Get-NodeToken -Step $Step
    $request = Get-NodeRequestText -Step $Step -Member $Member
    $request.State -cin 'pending', 'approved', 'unknown'
}

function Get-NodeJoinText {
    # The JoinConfiguration with this node's facts and the token inserted.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $token = Get-NodeToken -Step $Step
    if ($token -eq '') { throw 'no bootstrap token to join with' }
    $document = ConvertFrom-NodeJson -Text (Get-NodeDerivedText -Step $Step)
    # Not as an argument, which PowerShell can log. A bootstrap token has no character that JSON escapes.
    Edit-NodeJson -Document $document -Pointer $Step['tokenPointer'] -Value '<token>'
    (ConvertTo-NodeJson -InputObject $document).Replace('<token>', $token) + "`n"
}

function Get-NodeToken {
    # The bootstrap token: the caller's, or that in the token file of node.json. An empty string without either.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($script:Run.Token -ne '') { return $script:Run.Token }
    if ($null -eq $Step['tokenFile'] -or -not (Test-Path -LiteralPath $Step['tokenFile'])) { return '' }
    $token = (Read-NodeText -LiteralPath $Step['tokenFile']).Trim()
    if ($token -ne '') { $script:Run.Secrets += $token }
    $script:Run.Token = $token
    $token
}

function Backup-NodeKubeadmJoin {
    # Which of kubeadm's files existed before it ran.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $there = @(Get-NodeJoinTrace -Step $Step | Where-Object -FilterScript { Test-Path -LiteralPath $_ })
    [ordered]@{ there = $there }
}

function Restore-NodeKubeadmJoin {
    # Deletes the node's credentials. The Node object remains: it is deleted from the control plane.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['kubeconfig'], 'remove credentials')) { return }
    Clear-NodeCredential -Step $Step
    $before = Get-NodeBefore -Step $Step
    if ($null -ne $before) {
        foreach ($path in Get-NodeJoinTrace -Step $Step) {
            if (@($before['there']) -notcontains $path) { Clear-NodePath -LiteralPath $path }
        }
    }
}
