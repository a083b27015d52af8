# firewallRule: an inbound rule of Windows Firewall.

$script:StepKind['firewallRule'] = @{ Noun = 'NodeFirewallRule'; Subject = 'name'; Reset = 'restore' }

function Get-NodeFirewallRule {
    # A rule with the property names of a step, or nothing if it is missing.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $rule = Get-NetFirewallRule -Name $Name -ErrorAction SilentlyContinue
    if ($null -eq $rule) { return }
    $port = $rule | Get-NetFirewallPortFilter -ErrorAction Stop
    $address = $rule | Get-NetFirewallAddressFilter -ErrorAction Stop
    [ordered]@{
        displayName = "$($rule.DisplayName)"
        group       = "$($rule.Group)"
        protocol    = "$($port.Protocol)"
        ports       = @($port.LocalPort) -join ','
        from        = @($address.RemoteAddress | Where-Object -FilterScript { $_ -ne 'Any' } |
                ForEach-Object -Process { ConvertTo-NodeCidr -Address "$_" } | Sort-Object)
        enabled     = "$($rule.Enabled)"
        direction   = "$($rule.Direction)"
        action      = "$($rule.Action)"
    }
}

function Get-NodeExpectedFirewallRule {
    # The expected rule of a step.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{
        displayName = $Step['displayName']
        group       = $Step['group']
        protocol    = $Step['protocol']
        ports       = $Step['ports']
        from        = @($Step['from'] | ForEach-Object -Process { ConvertTo-NodeCidr -Address $_ } | Sort-Object)
        enabled     = 'True'
        direction   = 'Inbound'
        action      = 'Allow'
    }
}

function Test-NodeFirewallRule {
    # True if the rule exists, is enabled, and allows the expected traffic.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $rule = Get-NodeFirewallRule -Name $Step['name']
    if ($null -eq $rule) {
        Write-NodeDetail -Text 'the rule is missing'
        return $false
    }
    $wish = Get-NodeExpectedFirewallRule -Step $Step
    $same = $true
    foreach ($field in @($wish.Keys)) {
        $found = @($rule[$field]) -join ','
        $wanted = @($wish[$field]) -join ','
        if ($found -ne $wanted) {
            Write-NodeDetail -Text "$field is '$found', expected '$wanted'"
            $same = $false
        }
    }
    $same
}

function Write-NodeFirewallRule {
    # Creates or replaces a rule: New-NetFirewallRule fails if the name exists.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish
    )

    if ($null -ne (Get-NodeFirewallRule -Name $Name)) { Remove-NetFirewallRule -Name $Name -ErrorAction Stop }
    $rule = @{
        Name          = $Name
        DisplayName   = $Wish['displayName']
        Direction     = $Wish['direction']
        Action        = $Wish['action']
        Enabled       = $Wish['enabled']
        Protocol      = $Wish['protocol']
        LocalPort     = [string[]]$Wish['ports'].Split(',')
        RemoteAddress = [string[]]@(if (@($Wish['from']).Count -gt 0) { $Wish['from'] } else { 'Any' })
    }
    if ($Wish['group'] -ne '') { $rule['Group'] = $Wish['group'] }
    $null = New-NetFirewallRule @rule -ErrorAction Stop
}

function Set-NodeFirewallRule {
    # Creates or replaces the rule.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['name'], 'create firewall rule')) {
        Write-NodeFirewallRule -Name $Step['name'] -Wish (Get-NodeExpectedFirewallRule -Step $Step)
    }
}

function Backup-NodeFirewallRule {
    # The previous rule, or nothing if it was missing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Get-NodeFirewallRule -Name $Step['name']
}

function Restore-NodeFirewallRule {
    # Restores the previous rule, or removes the rule if there was none.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'restore firewall rule')) { return }
    if ($null -ne $Before) {
        Write-NodeFirewallRule -Name $Step['name'] -Wish $Before
    } elseif ($null -ne (Get-NodeFirewallRule -Name $Step['name'])) {
        Remove-NetFirewallRule -Name $Step['name'] -ErrorAction Stop
    }
}
