# The one answer to whether this machine is a member: of which cluster, under which name, until when.

# States, what each means, and what Join does in it: nothing, wait for the certificate, join (anew, where there
# was something), or refuse, with the remedy. kubelet.conf alone proves nothing, as the kubelet writes it before
# it has a certificate.
# https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/certificate/bootstrap/bootstrap.go
$script:Anew = 'run Reset-WinNode.ps1 first'
$script:MemberState = @{
    member   = @{ Is = 'is a member'; Join = 'nothing' }
    none     = @{ Is = 'has not joined'; Join = 'join' }
    prepared = @{ Is = 'has not joined; a bootstrap kubeconfig is there'; Join = 'join' }
    waiting  = @{ Is = 'waits for its certificate'; Join = 'wait' }
    stranded = @{ Is = 'has no certificate, and nothing left to ask for one with'; Join = 'join' }
    expired  = @{ Is = 'has credentials that have expired'; Join = 'join' }
    broken   = @{ Is = 'has credentials that cannot be read'; Join = 'join' }
    early    = @{ Is = 'has credentials that are not valid yet'; Join = 'refuse'; Remedy = 'set the clock' }
    renamed  = @{ Is = 'has credentials of another name'; Join = 'refuse'; Remedy = $script:Anew }
    foreign  = @{ Is = 'has credentials of another cluster'; Join = 'refuse'; Remedy = $script:Anew }
    unnamed  = @{ Is = 'has a name that is not known'; Join = 'refuse'; Remedy = 'bring that file' }
}

function Get-NodeMember {
    # State of this machine's membership from kubelet.conf and the certificate that it names; Text says it.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $member = @{
        State = 'none'; Server = ''; Ca = ''; Name = ''; From = $null; Until = $null; Pem = ''; PemPath = ''
        Text = ''; Wanted = ''; Missing = ''
    }
    try {
        $member.Wanted = Get-NodeGivenName
    } catch {
        # A file that is not there yet: a machine that has not joined needs none.
        $problem = $_
        $member.Text = $problem.Exception.Message
    }
    $more = ''
    $bootstrap = Test-Path -LiteralPath $Step['bootstrapKubeconfig']
    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        try {
            $file = Read-NodeKubeconfig -LiteralPath $Step['kubeconfig']
            $member.Server = $file['server']
            $member.Ca = $file['Ca']
            $member.Pem = $file['Pem']
            $member.PemPath = "$($file['client-certificate-path'])"
            $gone = $file.Missing -join ', '
            if ($gone -ne '') { $member.Missing = "it names $gone, which is not there" }
            $member.State = Get-NodeCertificateState -Member $member
            if ($member.Wanted -eq '') { $member.State = 'unnamed' }
            $other = Get-NodeOtherCluster -Step $Step -Member $member
            if ($other -ne '') {
                $member.State = 'foreign'
                $more = ": $other"
            }
        } catch {
            $problem = $_
            $member.State = 'broken'
            $more = ": $($Step['kubeconfig']): $($problem.Exception.Message)"
        }
        $asks = $bootstrap -or (Test-NodeServiceActive -Name 'kubelet')
        if ($member.State -eq 'waiting' -and -not $asks) { $member.State = 'stranded' }
    } elseif ($bootstrap) {
        $member.State = 'prepared'
    }
    $from = if ($null -ne $member.From) { ConvertTo-NodeTimeText -Time $member.From } else { '' }
    $end = if ($null -ne $member.Until) { ConvertTo-NodeTimeText -Time $member.Until } else { '' }
    switch ($member.State) {
        'member' { $more = " of $($member.Server) as $($member.Name), until $end" }
        'expired' { $more = " at $end" }
        'early' { $more = ", but from $from on" }
        'renamed' { $more = ": it is $($member.Wanted), they are of $($member.Name)" }
        'stranded' { if ($member.Missing -ne '') { $more = ": of $($Step['kubeconfig']), $($member.Missing)" } }
        'unnamed' {
            $more = ": $($member.Text)"
            if ($member.Name -ne '') { $more += "; its credentials are of $($member.Name)" }
        }
    }
    $member.Text = 'the machine ' + $script:MemberState[$member.State].Is + $more
    $member
}

function Get-NodeCertificateState {
    # What the certificate of a membership says of it; notes its name, its beginning and its end.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    # Without a CA a kubelet would believe whatever Windows believes, and we would believe anybody.
    if ($Member.Ca -eq '') { throw $(if ($Member.Missing -ne '') { $Member.Missing } else { 'it names no CA' }) }
    $certificates = @(Get-NodeCertificate -Pem $Member.Pem)
    if ($certificates.Count -eq 0) { return 'waiting' }
    if ($Member.Pem -cnotmatch '-----BEGIN [A-Z ]*PRIVATE KEY-----') {
        throw 'the certificate has no key beside it'
    }
    $now = Read-NodeClock
    $Member.From = $certificates[0].NotBefore.ToUniversalTime()
    $Member.Until = $certificates[0].NotAfter.ToUniversalTime()
    # https://kubernetes.io/docs/reference/access-authn-authz/node/
    $Member.Name = $certificates[0].GetNameInfo('SimpleName', $false) -creplace '^system:node:'
    if ($Member.Name -cne $Member.Wanted) { return 'renamed' }
    if ($now -gt $Member.Until) { return 'expired' }
    if ($now -lt $Member.From) { return 'early' }
    'member'
}

function Initialize-NodeName {
    # Gives a machine that has credentials their name, whatever else it is called by now: only under this one does
    # the cluster know its kubelet. A difference is told, and is never written anywhere.
    # https://kubernetes.io/docs/reference/access-authn-authz/node/
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $step = Get-NodeJoinStep
    if ($null -eq $step) { return }
    $name = (Get-NodeMember -Step $step).Name
    if ($name -ne '') { $script:Run.Facts['nodeName'] = $name }
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
