# bootstrapJoin: the machine is a member of its cluster, through the kubelet alone.

$script:StepKind['bootstrapJoin'] = @{
    Noun    = 'NodeBootstrapJoin'
    Subject = 'kubeconfig'
    Class   = 'membership'
    Reset   = 'always'
}

function Test-NodeBootstrapJoin {
    # True when the machine is a member, and the bootstrap credentials are gone.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeMembership -Step $Step -Leftover $Step['bootstrapKubeconfig']
}

function Set-NodeBootstrapJoin {
    # Lets the kubelet join by itself with the bootstrap kubeconfig that lies there, and takes that away once
    # it has served.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($script:Run.Document['name'], 'join')) { return $false }
    $member = Get-NodeMember -Step $Step
    Assert-NodeOwnMember -Member $member
    if ($member.State -ne 'member') {
        $script:Run.Since = Read-NodeClock
        $there = Test-Path -LiteralPath $Step['bootstrapKubeconfig']
        $asks = $member.State -eq 'waiting' -and (Test-NodeServiceActive -Name 'kubelet')
        foreach ($path in $Step['ca'], $Step['bootstrapKubeconfig']) {
            if (-not $asks -and -not (Test-Path -LiteralPath $path)) { throw "there is no $path to join with" }
        }
        if ($there) { Protect-NodePath -LiteralPath $Step['bootstrapKubeconfig'] -Sddl $script:ProtectedFile }
        $request = Get-NodeRequestText -Step $Step -Member $member
        # A kubelet that runs reads a new bootstrap file only when it starts anew.
        if ($there -and -not ($asks -and $request.State -eq 'pending')) { Close-NodeService -Name 'kubelet' }
        if (-not $asks) { Clear-NodeCertificate -Step $Step }
        Open-NodeService -Name 'kubelet' -Seconds $script:Limit.ServiceSeconds
        Wait-NodeCertificate -Step $Step
    }
    Clear-NodePath -LiteralPath $Step['bootstrapKubeconfig']
    $false
}

function Restore-NodeBootstrapJoin {
    # Takes the node's credentials away. The Node object stays: only the cluster's side may delete it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['kubeconfig'], 'remove credentials')) { Clear-NodeCredential -Step $Step }
    $false
}
