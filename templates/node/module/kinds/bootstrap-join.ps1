# bootstrapJoin: the machine is a member of its cluster, through the kubelet alone.

$script:StepKind['bootstrapJoin'] = @{ Noun = 'NodeBootstrapJoin'; Subject = 'kubeconfig'; Reset = 'always' }

function Test-NodeBootstrapJoin {
    # True when the machine is a member, and the bootstrap credentials are gone.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeMembership -Kubeconfig $Step['kubeconfig'] -Leftover $Step['bootstrapKubeconfig']
}

function Set-NodeBootstrapJoin {
    # Lets the kubelet join by itself with the bootstrap kubeconfig that lies there, and takes that away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($script:Run.Document['name'], 'join')) { return $false }
    if (-not (Test-Path -LiteralPath $Step['kubeconfig'])) {
        foreach ($path in $Step['ca'], $Step['bootstrapKubeconfig']) {
            if (-not (Test-Path -LiteralPath $path)) { throw "there is no $path to join with" }
        }
        Protect-NodePath -LiteralPath $Step['bootstrapKubeconfig'] -Sddl $script:ProtectedFile
        Open-NodeService -Name 'kubelet' -Seconds $script:Limit.ServiceSeconds
        $joined = Wait-NodeCondition -Seconds $Step['timeout'] -Condition {
            Test-Path -LiteralPath $Step['kubeconfig']
        }
        if (-not $joined) { throw "the kubelet has no credentials after $($Step['timeout']) s; see its log" }
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
