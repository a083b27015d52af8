# kubeadmJoin: the machine is a member of its cluster, through kubeadm.

$script:StepKind['kubeadmJoin'] = @{ Noun = 'NodeKubeadmJoin'; Subject = 'kubeconfig'; Reset = 'always' }

function Test-NodeKubeadmJoin {
    # True when the machine is a member, and token and bootstrap credentials are gone.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeMembership -Kubeconfig $Step['kubeconfig'] -Leftover @(Get-NodeJoinLeftover -Step $Step)
}

function Set-NodeKubeadmJoin {
    # Joins, if the machine is no member yet, and takes away what served for it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($script:Run.Document['name'], 'join with kubeadm')) { return $false }
    if (-not (Test-Path -LiteralPath $Step['kubeconfig'])) {
        Clear-NodePartialJoin -Step $Step
        Invoke-NodeKubeadm -Step $Step
    }
    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        foreach ($path in Get-NodeJoinLeftover -Step $Step) { Clear-NodePath -LiteralPath $path }
    }
    $false
}

function Get-NodeJoinText {
    # The JoinConfiguration with this node's facts and the token in it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $token = Get-NodeToken -Step $Step
    if ($token -eq '') { throw 'there is no token to join with' }
    $document = ConvertFrom-NodeJson -Text (Get-NodeDerivedText -Step $Step)
    Edit-NodeJson -Document $document -Pointer $Step['tokenPointer'] -Value $token
    (ConvertTo-NodeJson -InputObject $document) + "`n"
}

function Get-NodeToken {
    # The bootstrap token: the caller's, or that of the file that node.json names. Empty where there is none.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($script:Run.Token -ne '') { return $script:Run.Token }
    if ($null -eq $Step['tokenFile'] -or -not (Test-Path -LiteralPath $Step['tokenFile'])) { return '' }
    $token = (Read-NodeText -LiteralPath $Step['tokenFile']).Trim()
    if ($token -ne '') { $script:Run.Secrets += $token }
    $token
}

function Invoke-NodeKubeadm {
    # Runs kubeadm over a file that holds the token. kubeadm takes no token beside a configuration, and its
    # own paths have no drive: C:\ must be the current folder.
    # https://github.com/kubernetes/kubeadm/issues/1341
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    try {
        Write-NodeSecret -LiteralPath $Step['path'] -Text (Get-NodeJoinText -Step $Step)
        Push-Location -LiteralPath 'C:\'
        try {
            $lines = Invoke-Native -FilePath $Step['kubeadm'] -ArgumentList 'join', '--config', $Step['path']
        } finally {
            Pop-Location
        }
    } finally {
        Clear-NodePath -LiteralPath $Step['path']
    }
    foreach ($line in $lines) { Write-NodeLog -Level info -Step $Step['id'] -Message $line }
}

function Get-NodeJoinTrace {
    # Files that kubeadm leaves when it is cut off, and that stop it the next time.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $Step['bootstrapKubeconfig']
    $folder = Get-NodeParent -LiteralPath $Step['kubeconfig']
    $ca = "$folder\pki\ca.crt"
    # Where a file of the bundle goes there it is not kubeadm's.
    $ours = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['path'] -eq $ca })
    if ($ours.Count -eq 0) { $ca }
}

function Backup-NodeKubeadmJoin {
    # Which of kubeadm's files were there before it ran.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $there = @(Get-NodeJoinTrace -Step $Step | Where-Object -FilterScript { Test-Path -LiteralPath $_ })
    [ordered]@{ there = $there }
}

function Clear-NodePartialJoin {
    # Takes away what a join that was cut off left, so that kubeadm starts anew: it refuses where its files
    # are there, and where the kubelet holds its port.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Close-NodeService -Name 'kubelet'
    $before = Get-NodeMemory -Chapter before -Id $Step['id']
    foreach ($path in Get-NodeJoinTrace -Step $Step) {
        if ($null -ne $before -and @($before['there']) -notcontains $path) { Clear-NodePath -LiteralPath $path }
    }
}

function Restore-NodeKubeadmJoin {
    # Takes the node's credentials away. The Node object stays: only the cluster's side may delete it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['kubeconfig'], 'remove credentials')) { return $false }
    Clear-NodeCredential -Step $Step
    $before = Get-NodeMemory -Chapter before -Id $Step['id']
    if ($null -ne $before) {
        foreach ($path in Get-NodeJoinTrace -Step $Step) {
            if (@($before['there']) -notcontains $path) { Clear-NodePath -LiteralPath $path }
        }
    }
    $false
}
