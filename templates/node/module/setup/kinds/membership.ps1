# Shared by both kinds of join: the node's certificate and credentials.

function Test-NodeMembership {
    # True if the machine has joined, and no credentials that were used to join are left.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string[]] $Leftover
    )

    $member = Get-NodeMembership -Step $Step
    $same = $member.State -eq 'member'
    if (-not $same) { Write-NodeDetail -Text $member.Text }
    foreach ($path in $Leftover) {
        if ($path -ne '' -and (Test-Path -LiteralPath $path)) {
            Write-NodeDetail -Text "$path still exists"
            $same = $false
        }
    }
    $same
}

function Wait-NodeCertificate {
    # Waits for the kubelet's certificate, and prints what it waits for. Throws at the deadline, or earlier if
    # waiting is useless.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $told = ''
    $lasting = 0
    while ($true) {
        $member = Get-NodeMembership -Step $Step
        if ($member.State -eq 'member') { return }
        $request = @{ State = 'ended'; Text = 'the kubelet has exited; see its log' }
        if (Test-NodeServiceActive -Name 'kubelet') { $request = Get-NodeRequestText -Step $Step -Member $member }
        # The kubelet may create another CSR after a denial, and Windows restarts it after an exit: either state
        # must last for a while.
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
    # Stops before a join replaces credentials that are valid, but not for this machine. The checks before a join
    # report this first; this one covers a change of the machine since then.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $state = $script:MemberState[$Member.State]
    if ($state.Join -ceq 'refuse') { throw "$($Member.Text); $($state.Remedy)" }
}

function Clear-NodeJoinLeftover {
    # Deletes the credentials that were used to join.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($path in Get-NodeJoinLeftover -Step $Step) { Clear-NodePath -LiteralPath $path }
}

function Get-NodeJoinLeftover {
    # Files with credentials that must not outlive a join. node.json may name any file as the token file: it is
    # deleted only if it contains a token and nothing else.
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
    # Deletes the kubelet's client certificates. The kubelet uses an unexpired one, whichever CA signed it, and
    # requests no other; with one that it cannot read, it exits.
    # https://github.com/kubernetes/client-go/blob/master/util/certificate/certificate_manager.go
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        # The certificates for the API server.
        [Parameter()] [string] $Filter = 'kubelet-client-*'
    )

    $folder = $Step['certificates']
    if (-not (Test-Path -LiteralPath $folder)) { return }
    foreach ($file in @(Get-ChildItem -LiteralPath $folder -Filter $Filter)) {
        Clear-NodePath -LiteralPath "$folder\$($file.Name)"
    }
}

function Clear-NodeCredential {
    # Deletes the kubelet's kubeconfig and certificates, and reports whose they were.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $member = Get-NodeMembership -Step $Step
    Clear-NodeCertificate -Step $Step -Filter 'kubelet*'
    if ($member.PemPath -ne '') { Clear-NodePath -LiteralPath $member.PemPath }
    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        Write-NodeDetail -Text "the credentials are deleted; before that, $($member.Text)"
    }
    if ($member.Name -ne '') {
        Write-NodeDetail -Text "the Node object remains; to delete it: kubectl delete node $($member.Name)"
    }
    Clear-NodePath -LiteralPath $Step['kubeconfig']
    Clear-NodeJoinLeftover -Step $Step
}
