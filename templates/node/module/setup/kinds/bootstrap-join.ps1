# bootstrapJoin: the machine joins its cluster by TLS bootstrap of the kubelet.

$script:StepKind['bootstrapJoin'] = @{
    Noun    = 'NodeBootstrapJoin'
    Subject = 'kubeconfig'
    Class   = 'membership'
    Reset   = 'always'
}

function Test-NodeBootstrapJoin {
    # True if the machine has joined, and the bootstrap credentials are deleted.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeMembership -Step $Step -Leftover $Step['bootstrapKubeconfig']
}

function Set-NodeBootstrapJoin {
    # Starts the kubelet, which joins with the bootstrap kubeconfig, and deletes that file afterwards.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($script:Run.Document['name'], 'join')) { return }
    $member = Get-NodeMembership -Step $Step
    Assert-NodeOwnMember -Member $member
    if ($member.State -ne 'member') {
        $script:Run.Since = Read-NodeClock
        $there = Test-Path -LiteralPath $Step['bootstrapKubeconfig']
        $asks = $member.State -eq 'waiting' -and (Test-NodeServiceActive -Name 'kubelet')
        foreach ($path in $Step['ca'], $Step['bootstrapKubeconfig']) {
            if (-not $asks -and -not (Test-Path -LiteralPath $path)) { throw "cannot join: $path not found" }
        }
        if ($there) { Protect-NodePath -LiteralPath $Step['bootstrapKubeconfig'] -Sddl $script:ProtectedFile }
        $request = Get-NodeRequestText -Step $Step -Member $member
        # A running kubelet reads a new bootstrap kubeconfig only after a restart.
        if ($there -and -not ($asks -and $request.State -eq 'pending')) { Close-NodeService -Name 'kubelet' }
        if (-not $asks) { Clear-NodeCertificate -Step $Step }
        Open-NodeService -Name 'kubelet' -Seconds $script:Limit.ServiceSeconds
        Wait-NodeCertificate -Step $Step
    }
    Clear-NodePath -LiteralPath $Step['bootstrapKubeconfig']
}

function Restore-NodeBootstrapJoin {
    # Deletes the node's credentials. The Node object remains: it is deleted from the control plane.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['kubeconfig'], 'remove credentials')) { Clear-NodeCredential -Step $Step }
}
