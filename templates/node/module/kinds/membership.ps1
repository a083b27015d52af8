# What both kinds of joining share: credentials of the node.

function Test-NodeMembership {
    # True when the machine is a member, and nothing that served to become one is left.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string[]] $Leftover
    )

    $member = Get-NodeMember -Step $Step
    $same = $member.State -eq 'member'
    if (-not $same) { Write-NodeDetail -Text $member.Text }
    foreach ($path in $Leftover) {
        if ($path -ne '' -and (Test-Path -LiteralPath $path)) {
            Write-NodeDetail -Text "$path is still there"
            $same = $false
        }
    }
    $same
}

function Wait-NodeCertificate {
    # Waits until the kubelet has its certificate, and tells a person meanwhile what it waits for. Throws with
    # what is missing at the end, and at once where waiting is of no use.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $told = ''
    $lasting = 0
    while ($true) {
        $member = Get-NodeMember -Step $Step
        if ($member.State -eq 'member') { return }
        $request = @{ State = 'ended'; Text = 'the kubelet has ended; its log says why' }
        if (Test-NodeServiceActive -Name 'kubelet') { $request = Get-NodeRequestText -Step $Step -Member $member }
        # One that the kubelet makes anew after a refusal counts, and it is started anew where it ended: each must
        # stand for a while.
        $lasting = if ($request.State -cin 'denied', 'refused', 'ended') { $lasting + 1 } else { 0 }
        if ($lasting -ge 15 -or (Read-NodeClock) -ge $script:Run.Deadline) {
            throw "$($member.Text); $($request.Text)"
        }
        if ($request.Text -cne $told) {
            $told = $request.Text
            Write-NodeLog -Level info -Step $Step['id'] -Message "waiting: $told"
            Write-NodeRow -Place $script:Run.Place -State 'waiting' -Id $Step['id'] -Text $told
        }
        $null = Read-NodeClock -After 2
    }
}

function Assert-NodeOwnMember {
    # Refuses to join over credentials that are of use, but not to this machine as it is now. The checks before a
    # join say it first; this holds where the machine has changed since.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $state = $script:MemberState[$Member.State]
    if ($state.Join -ceq 'refuse') { throw "$($Member.Text); $($state.Remedy)" }
}

function Clear-NodeJoinLeftover {
    # Removes what served to join.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($path in Get-NodeJoinLeftover -Step $Step) { Clear-NodePath -LiteralPath $path }
}

function Get-NodeJoinLeftover {
    # Files with credentials that must not outlive a join. node.json may name any file as that of the token: only
    # one that holds a token and nothing else is removed.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    "$($Step['path'])"
    "$($Step['bootstrapKubeconfig'])"
    $file = $Step['tokenFile']
    if ($null -eq $file -or -not (Test-Path -LiteralPath $file -PathType Leaf)) { return }
    if ((Get-Item -LiteralPath $file -Force).Length -gt 1KB) { return }
    if ((Read-NodeText -LiteralPath $file).Trim() -cmatch $script:TokenForm) { $file }
}

function Clear-NodeCertificate {
    # Takes away what the kubelet keeps of certificates. It uses one that has not expired whoever signed it, and
    # asks for no other; one that it cannot read ends it.
    # https://github.com/kubernetes/client-go/blob/master/util/certificate/certificate_manager.go
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        # Those with which it shows itself to the API server.
        [Parameter()] [string] $Filter = 'kubelet-client-*'
    )

    $folder = $Step['certificates']
    if (-not (Test-Path -LiteralPath $folder)) { return }
    foreach ($file in @(Get-ChildItem -LiteralPath $folder -Filter $Filter)) {
        Clear-NodePath -LiteralPath "$folder\$($file.Name)"
    }
}

function Clear-NodeCredential {
    # Takes the kubelet's kubeconfig and its certificates away; says whose they were.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $member = Get-NodeMember -Step $Step
    Clear-NodeCertificate -Step $Step -Filter 'kubelet*'
    if ($member.PemPath -ne '') { Clear-NodePath -LiteralPath $member.PemPath }
    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        Write-NodeDetail -Text "the credentials are gone; before, $($member.Text)"
    }
    if ($member.Name -ne '') {
        Write-NodeDetail -Text "the Node stays in its cluster: kubectl delete node $($member.Name)"
    }
    Clear-NodePath -LiteralPath $Step['kubeconfig']
    Clear-NodeJoinLeftover -Step $Step
}
