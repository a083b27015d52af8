# The kubelet's own certificate: whether it serves, and for how long.

$script:HealthKind['certificate'] = @{
    Function = 'Get-NodeCertificateHealth'
    Event    = 102
    Remedy   = 'the kubelet''s log says why it has no new one; see kubectl get csr'
}

function Get-NodeCertificateHealth {
    # How long the kubelet's certificate is valid. The kubelet asks for another one when 70 to 90 percent of its
    # time are over. https://github.com/kubernetes/client-go/blob/master/util/certificate/certificate_manager.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $null = $Need
    $step = Get-NodeJoinStep
    if ($null -eq $step) { return ConvertTo-NodeVerdict -Verdict unknown -Evidence 'this bundle joins nothing' }
    $member = Get-NodeMember -Step $step
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

# What a person does about a membership, by what Join would do.
$script:MemberRemedy = @{ join = 'run Join-WinNode.ps1 with a new token'; wait = 'have its request approved' }

function Get-NodeRemedy {
    # What a person does about a machine that is no member any more.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    $state = $script:MemberState[$Member.State]
    if ($state.ContainsKey('Remedy')) { $state.Remedy } else { $script:MemberRemedy[$state.Join] }
}
