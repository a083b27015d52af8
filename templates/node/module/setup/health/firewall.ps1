# Checks that the firewall rules of a joined node apply.

$script:HealthKind['firewall'] = @{
    Function = 'Get-NodeFirewallHealth'
    Event    = 112
    Remedy   = 'run Copy-NetFirewallRule -Group winnode -NewPolicyStore DOMAIN\GPO, or apply local rules'
}

function Get-NodeFirewallHealth {
    # Whether no policy has Windows ignore the rules.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $lack = Get-NodeFirewallLack
    if ($lack -ne '') { return ConvertTo-NodeVerdict -Verdict fail -Evidence $lack }
    ConvertTo-NodeVerdict -Verdict ok -Evidence 'the firewall rules of this bundle apply'
}
