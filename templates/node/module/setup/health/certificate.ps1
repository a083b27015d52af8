# Checks the kubelet's client certificate: whether it works, and for how long.

$script:HealthKind['certificate'] = @{
    Function = 'Get-NodeCertificateHealth'
    Event    = 102
    Remedy   = 'see the kubelet''s log and kubectl get csr for the reason that it was not renewed'
}

function Get-NodeCertificateHealth {
    # How long the kubelet's client certificate is valid. The kubelet renews it after 70 to 90 percent of its
    # validity.
    # https://github.com/kubernetes/client-go/blob/master/util/certificate/certificate_manager.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $member = Get-NodeMembership
    if ($member.State -cne 'member') {
        $remedy = Get-NodeRemedy -Member $member
        return ConvertTo-NodeVerdict -Verdict fail -Evidence $member.Text -Remedy $remedy
    }
    $left = $member.Until - (Read-NodeClock)
    $until = ConvertTo-NodeTimeText -Time $member.Until
    $evidence = 'valid until {0}, {1} days' -f $until, [math]::Floor($left.TotalSeconds / 86400)
    $late = $left.TotalSeconds -lt ($member.Until - $member.From).TotalSeconds * 0.1
    if (-not $late) { return ConvertTo-NodeVerdict -Verdict ok -Evidence $evidence }
    ConvertTo-NodeVerdict -Verdict warn -Evidence "$evidence; it should have been renewed by now"
}

# The remedy for each join state, by what Join would do.
$script:MemberRemedy = @{ join = 'run Join-WinNode.ps1 with a new token'; wait = 'approve its CSR' }

function Get-NodeRemedy {
    # The remedy for a machine that has not joined, or whose credentials do not work.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $state = $script:MemberState[$Member.State]
    if ($state.ContainsKey('Remedy')) { $state.Remedy } else { $script:MemberRemedy[$state.Join] }
}
