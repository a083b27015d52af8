# Determines whether this machine has joined: which cluster, under which name, until when.

# States, their messages, and how Join handles each: nothing, wait for the certificate, join (again after an
# earlier join), or refuse, with the remedy. kubelet.conf alone is no proof, because the kubelet writes it before
# it has a certificate.
# https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/certificate/bootstrap/bootstrap.go
$script:ResetFirst = 'run Reset-WinNode.ps1 first'
$script:MemberState = @{
    member   = @{ Is = 'has joined'; Join = 'nothing' }
    none     = @{ Is = 'has not joined'; Join = 'join' }
    prepared = @{ Is = 'has not joined; a bootstrap kubeconfig exists'; Join = 'join' }
    waiting  = @{ Is = 'waits for its certificate'; Join = 'wait' }
    stranded = @{ Is = 'has no certificate and no credentials to request one'; Join = 'join' }
    expired  = @{ Is = 'has credentials that have expired'; Join = 'join' }
    broken   = @{ Is = 'has credentials that cannot be read'; Join = 'join' }
    early    = @{ Is = 'has credentials that are not valid yet'; Join = 'refuse'; Remedy = 'set the clock' }
    renamed  = @{ Is = 'has credentials for another node name'; Join = 'refuse'; Remedy = $script:ResetFirst }
    foreign  = @{ Is = 'has credentials for another cluster'; Join = 'refuse'; Remedy = $script:ResetFirst }
    unnamed  = @{ Is = 'has an unknown name'; Join = 'refuse'; Remedy = 'create that file' }
}

function Get-NodeMembership {
    # The join state of this machine, from kubelet.conf and its certificate; Text is the message for the user.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter()] [System.Collections.IDictionary] $Step = (Get-NodeJoinStep))

    $member = @{
        State = 'none'; Server = ''; Ca = ''; Name = ''; From = $null; Until = $null; Pem = ''; PemPath = ''
        Text = 'this bundle has no join step'; Wanted = ''; Missing = ''; Path = ''
    }
    if ($null -eq $Step) { return $member }
    $member.Path = $Step['kubeconfig']
    try {
        $member.Wanted = Get-NodeGivenName
    } catch {
        # The file with the name does not exist yet: a machine that has not joined does not need it.
        $member.Text = $_.Exception.Message
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
            if ($gone -ne '') { $member.Missing = "it references $gone, which is missing" }
            $member.State = Get-NodeCertificateState -Member $member
            if ($member.Wanted -eq '') { $member.State = 'unnamed' }
            $other = Get-NodeOtherCluster -Step $Step -Member $member
            if ($other -ne '') {
                $member.State = 'foreign'
                $more = ": $other"
            }
        } catch {
            $member.State = 'broken'
            $more = ": $($Step['kubeconfig']): $($_.Exception.Message)"
        }
        $asks = $bootstrap -or (Test-NodeServiceActive -Name 'kubelet')
        if ($member.State -eq 'waiting' -and -not $asks) { $member.State = 'stranded' }
    } elseif ($bootstrap) {
        $member.State = 'prepared'
    }
    $from = if ($null -ne $member.From) { ConvertTo-NodeTimeText -Time $member.From } else { '' }
    $end = if ($null -ne $member.Until) { ConvertTo-NodeTimeText -Time $member.Until } else { '' }
    switch ($member.State) {
        'member' { $more = " $($member.Server) as $($member.Name); its certificate is valid until $end" }
        'expired' { $more = " since $end" }
        'early' { $more = ": they are valid from $from" }
        'renamed' { $more = ": its name is $($member.Wanted), they are for $($member.Name)" }
        'stranded' { if ($member.Missing -ne '') { $more = ": $($Step['kubeconfig']): $($member.Missing)" } }
        'unnamed' {
            $more = ": $($member.Text)"
            if ($member.Name -ne '') { $more += "; its credentials are for $($member.Name)" }
        }
    }
    $member.Text = 'the machine ' + $script:MemberState[$member.State].Is + $more
    $member
}

function Get-NodeCertificateState {
    # The state of a node's client certificate; stores its name and its validity.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    # Without a CA, a kubelet trusts the CAs of Windows, and this module would trust every server.
    if ($Member.Ca -eq '') { throw $(if ($Member.Missing -ne '') { $Member.Missing } else { 'it has no CA' }) }
    # Without the key: PowerShell can log arguments that are strings.
    $public = $Member.Pem -creplace '(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----'
    $certificates = @(Get-NodeCertificate -Pem $public)
    if ($certificates.Count -eq 0) { return 'waiting' }
    if ($Member.Pem -cnotmatch '-----BEGIN [A-Z ]*PRIVATE KEY-----') {
        throw 'the certificate has no private key'
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
    # On a machine with credentials, uses the node name in them, even if its host name has changed: the API server
    # authorizes the kubelet for this name only. A difference is reported, and never written to the disk.
    # https://kubernetes.io/docs/reference/access-authn-authz/node/
    [CmdletBinding()]
    param()

    $name = (Get-NodeMembership).Name
    if ($name -ne '') { $script:Run.Facts['nodeName'] = $name }
}
