# Checks that Windows Firewall applies the rules of this bundle: a policy can have it ignore local rules.

$script:PreflightKind['firewallPolicy'] = 'Test-NodeFirewallPolicy'

function Test-NodeFirewallPolicy {
    # Whether the rules of this bundle will apply.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $lack = Get-NodeFirewallLack
    Write-NodeDetail -Text $(if ($lack -ne '') { $lack } else { 'the firewall rules of this bundle apply' })
    $lack -eq ''
}

function Get-NodeFirewallLack {
    # The inbound rules that the policy must contain because it has local rules ignored, or an empty string.
    # https://learn.microsoft.com/openspecs/windows_protocols/ms-gpfas/2c979624-900a-4b6e-b4ef-09b387cd62ab
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $category = Get-NodeFirewallCategory
    $active = Get-NetFirewallProfile -Name $category -PolicyStore 'ActiveStore' -ErrorAction Stop
    if ("$($active.Enabled)" -eq 'False' -or "$($active.AllowLocalFirewallRules)" -ne 'False') { return '' }
    $allowed = @(Get-NodePolicyRule -Category $category)
    $missing = @(foreach ($step in Get-NodeKindStep -Kind firewallRule) {
            $ports = @($allowed | Where-Object -FilterScript { $_.Protocol -in $step['protocol'], 'Any' } |
                    ForEach-Object -Process { $_.Ports })
            if (Test-NodePortAllowed -Ports $step['ports'] -Allowed $ports) { continue }
            $from = @($step['from']) -join ', '
            '{0} {1}{2}' -f $step['protocol'], $step['ports'], $(if ($from -ne '') { " from $from" })
        })
    if ($missing.Count -eq 0) { return '' }
    "a policy has Windows ignore local firewall rules in $category networks: give it inbound rules for " +
    ($missing -join '; ')
}

function Get-NodeFirewallCategory {
    # The firewall profile of the network of the node's address: Domain, Private or Public. Public if Windows has
    # not identified the network, as it often does for virtual adapters.
    # https://learn.microsoft.com/powershell/module/netconnection/get-netconnectionprofile
    [CmdletBinding()]
    [OutputType([string])]
    param()

    try {
        $index = (Get-NodeAddress).InterfaceIndex
    } catch {
        Write-Verbose -Message $_.Exception.Message
        return 'Public'
    }
    $network = @(Get-NetConnectionProfile -InterfaceIndex $index -ErrorAction SilentlyContinue)
    if ($network.Count -eq 0) { return 'Public' }
    "$($network[0].NetworkCategory)" -replace '^DomainAuthenticated$', 'Domain'
}

function Get-NodePolicyRule {
    # Protocol and ports of the enabled inbound rules of policies that allow traffic in such networks. The remote
    # addresses of a rule are not compared.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [string] $Category)

    foreach ($rule in @(Get-NetFirewallRule -PolicyStore 'RSOP' -ErrorAction SilentlyContinue)) {
        $allows = "$($rule.Enabled)" -eq 'True' -and "$($rule.Direction)" -eq 'Inbound' -and
        "$($rule.Action)" -eq 'Allow' -and "$($rule.Profile)" -match "\b(Any|$Category)\b"
        if (-not $allows) { continue }
        $filter = $rule | Get-NetFirewallPortFilter -PolicyStore 'RSOP' -ErrorAction Stop
        @{ Protocol = "$($filter.Protocol)"; Ports = @($filter.LocalPort) }
    }
}

function Test-NodePortAllowed {
    # Whether the ports of rules, such as 10250, 4000-5000 or Any, contain all ports of a step.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Ports,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Allowed
    )

    if ($Allowed -contains 'Any') { return $true }
    $ranges = @($Allowed -match '^\d+(-\d+)?$' | ForEach-Object -Process { ConvertFrom-NodePortRange -Ports $_ })
    foreach ($part in $Ports.Split(',')) {
        $wish = ConvertFrom-NodePortRange -Ports $part
        $around = @($ranges | Where-Object -FilterScript { $_.From -le $wish.From -and $_.To -ge $wish.To })
        if ($around.Count -eq 0) { return $false }
    }
    $true
}
