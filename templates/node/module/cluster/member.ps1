# The one answer to whether this machine is a member: of which cluster, under which name, until when.

# States, and what each means. Only the first is membership; kubelet.conf alone proves nothing, as the kubelet
# writes it before it has a certificate.
# https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/certificate/bootstrap/bootstrap.go
$script:MemberState = @{
    member   = 'is a member'
    none     = 'has not joined'
    prepared = 'has not joined; a bootstrap kubeconfig is there'
    waiting  = 'waits for its certificate'
    stranded = 'has no certificate, and nothing left to ask for one with'
    expired  = 'has credentials that have expired'
    early    = 'has credentials that are not valid yet: the clock is wrong'
    renamed  = 'has credentials of another name'
    broken   = 'has credentials that cannot be read'
    unnamed  = 'has a name that is not known'
}

function Get-NodeMember {
    # State of this machine's membership from kubelet.conf and the certificate that it names; Text says it.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $member = @{
        State = 'none'; Server = ''; Ca = ''; Name = ''; Until = $null; Pem = ''; Text = ''
        Wanted = ''
    }
    try {
        $member.Wanted = Get-NodeFact -Name 'nodeName'
    } catch {
        # A file that is not there yet: a machine that has not joined needs none.
        $problem = $_
        $member.Text = $problem.Exception.Message
    }
    $bootstrap = Test-Path -LiteralPath $Step['bootstrapKubeconfig']
    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        try {
            $file = Read-NodeKubeconfig -LiteralPath $Step['kubeconfig']
            $member.Server = $file.Server
            $member.Ca = $file.Ca
            $member.Pem = $file.Pem
            $known = $member.Wanted -ne ''
            $member.State = if ($known) { Get-NodeCertificateState -Member $member } else { 'unnamed' }
        } catch {
            $problem = $_
            $member.State = 'broken'
            $member.Text = $problem.Exception.Message
        }
        $asks = $bootstrap -or (Test-NodeServiceActive -Name 'kubelet')
        if ($member.State -eq 'waiting' -and -not $asks) { $member.State = 'stranded' }
    } elseif ($bootstrap) {
        $member.State = 'prepared'
    }
    $end = if ($null -ne $member.Until) { ConvertTo-NodeTimeText -Time $member.Until } else { '' }
    $more = switch ($member.State) {
        'member' { " of $($member.Server) as $($member.Name), until $end" }
        'expired' { " at $end" }
        'renamed' { ": it is $($member.Wanted), they are of $($member.Name)" }
        'broken' { ": $($member.Text)" }
        'unnamed' { ": $($member.Text)" }
    }
    $member.Text = 'the machine ' + $script:MemberState[$member.State] + "$more"
    $member
}

function Get-NodeCertificateState {
    # What the certificate of a membership says of it; notes its name and its end.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $certificates = @(Get-NodeCertificate -Pem $Member.Pem)
    if ($certificates.Count -eq 0) { return 'waiting' }
    if (@(ConvertFrom-NodePem -Text $Member.Pem -Kind 'EC PRIVATE KEY').Count -eq 0) {
        throw 'the certificate has no key beside it'
    }
    $now = Read-NodeClock
    $Member.Until = $certificates[0].NotAfter.ToUniversalTime()
    # https://kubernetes.io/docs/reference/access-authn-authz/node/
    $Member.Name = $certificates[0].GetNameInfo('SimpleName', $false) -creplace '^system:node:'
    if ($Member.Name -cne $Member.Wanted) { return 'renamed' }
    if ($now -gt $Member.Until) { return 'expired' }
    if ($now -lt $certificates[0].NotBefore.ToUniversalTime()) { return 'early' }
    'member'
}

function Get-NodeJoinStep {
    # The step that makes this machine a member, or nothing.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($null -ne $step['bootstrapKubeconfig']) { return $step }
    }
}

function Get-NodeJoinState {
    # State of this machine's membership, or none where this bundle joins nothing.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $step = Get-NodeJoinStep
    if ($null -eq $step) { return 'none' }
    (Get-NodeMember -Step $step).State
}
