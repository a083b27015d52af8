# The firewall: names are unique, and subnets come back with a mask; a policy may have local rules ignored.

function New-NetFirewallRule {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [string] $Name, [string] $DisplayName, [string] $Group, [ValidateSet('Inbound', 'Outbound')] [string] $Direction,
        [ValidateSet('Allow', 'Block', 'NotConfigured')] [string] $Action, [ValidateSet('True', 'False')] [string] $Enabled,
        [string] $Protocol = 'Any', [string[]] $LocalPort = 'Any', [string[]] $RemoteAddress = 'Any'
    )

    Add-HostCall -Text "New-NetFirewallRule $Name"
    if (-not (Assert-HostFunction -On 'New-NetFirewallRule' -Bound $PSBoundParameters)) { return }
    if ($script:Machine.Rules.ContainsKey($Name)) { throw 'Cannot create a file when that file already exists.' }
    $script:Machine.Rules[$Name] = @{
        Name = $Name; DisplayName = $DisplayName; Group = $Group; Direction = $Direction; Action = $Action
        Enabled = $Enabled; Protocol = $Protocol; LocalPort = $LocalPort
        RemoteAddress = @($RemoteAddress | ForEach-Object -Process { ConvertTo-HostAddress -Address $_ })
    }
    [pscustomobject]$script:Machine.Rules[$Name]
}

function ConvertTo-HostAddress {
    # 10.0.0.0/8 as 10.0.0.0/255.0.0.0.
    param([string] $Address)

    if ($Address -notmatch '^([0-9.]+)/(\d+)$') { return $Address }
    $mask = [long][math]::Pow(2, 32) - [long][math]::Pow(2, 32 - [int]$Matches[2])
    $parts = foreach ($power in 24, 16, 8, 0) { [math]::Floor($mask / [math]::Pow(2, $power)) % 256 }
    '{0}/{1}' -f $Matches[1], ($parts -join '.')
}

function Get-NetFirewallRule {
    # RSOP has the rules of policies. An empty store gives nothing, and an unknown name is an error.
    # https://learn.microsoft.com/powershell/module/netsecurity/get-netfirewallrule
    [CmdletBinding()]
    param([string] $Name, [string] $DisplayName, [ValidateSet('PersistentStore', 'RSOP')] [string] $PolicyStore = 'PersistentStore')

    if ($DisplayName) {
        foreach ($rule in @($script:Machine.Rules.Values)) { if ($rule.DisplayName -like $DisplayName) { [pscustomobject]$rule } }
        return
    }
    if ($PolicyStore -eq 'RSOP') {
        foreach ($rule in $script:Machine.PolicyRules) { [pscustomobject]$rule }
        return
    }
    if ($script:Machine.Rules.ContainsKey($Name)) { return [pscustomobject]$script:Machine.Rules[$Name] }
    Write-Error -Message (
        "No MSFT_NetFirewallRule objects found with property 'InstanceID' equal to '$Name'.  " +
        'Verify the value of the property and retry.'
    )
}

function Get-NetFirewallPortFilter {
    [CmdletBinding()]
    param([Parameter(ValueFromPipeline = $true)] [object] $InputObject, [string] $PolicyStore)

    process {
        # One port is a text, several are a list.
        $port = if (@($InputObject.LocalPort).Count -eq 1) { $InputObject.LocalPort[0] } else { $InputObject.LocalPort }
        [pscustomobject]@{ Protocol = $InputObject.Protocol; LocalPort = $port }
    }
}

function Get-NetFirewallAddressFilter {
    [CmdletBinding()]
    param([Parameter(ValueFromPipeline = $true)] [object] $InputObject)

    process { [pscustomobject]@{ RemoteAddress = $InputObject.RemoteAddress } }
}

function Add-HostPolicyRule {
    # A rule of a Group Policy.
    param([string] $Protocol, [string[]] $LocalPort, [string] $Profile = 'Any', [string] $Direction = 'Inbound')

    $script:Machine.PolicyRules += @{
        Name = "{$([guid]::NewGuid())}"; DisplayName = 'from the policy'; Direction = $Direction; Action = 'Allow'; Enabled = 'True'
        Profile = $Profile; Protocol = $Protocol; LocalPort = $LocalPort; RemoteAddress = @('Any')
    }
}

function Remove-NetFirewallRule {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(ValueFromPipelineByPropertyName = $true)] [string] $Name)

    process {
        Add-HostCall -Text "Remove-NetFirewallRule $Name"
        $null = Get-NetFirewallRule -Name $Name
        $script:Machine.Rules.Remove($Name)
    }
}

function Get-NetFirewallProfile {
    # AllowLocalPolicyMerge of a policy is AllowLocalFirewallRules of the active store; the local store has its own.
    # https://learn.microsoft.com/openspecs/windows_protocols/ms-gpfas/2c979624-900a-4b6e-b4ef-09b387cd62ab
    [CmdletBinding()]
    param([string[]] $Name = @('Domain', 'Private', 'Public'), [string] $PolicyStore)

    foreach ($one in $Name) {
        $key = "SOFTWARE\Policies\Microsoft\WindowsFirewall\${one}Profile"
        $merge = if ($PolicyStore -eq 'ActiveStore') { [WinNodeHost.Registry]::Get($key, 'AllowLocalPolicyMerge') }
        $local = if ($PolicyStore -ne 'ActiveStore') { 'NotConfigured' } elseif ($null -ne $merge -and 0 -eq $merge) { 'False' } else { 'True' }
        [pscustomobject]@{ Name = $one; Enabled = 'True'; DefaultInboundAction = 'NotConfigured'; AllowLocalFirewallRules = $local }
    }
}

function Get-NetConnectionProfile {
    # The category of a network decides which profile of the firewall applies. One that is not identified is public.
    # https://learn.microsoft.com/powershell/module/netconnection/get-netconnectionprofile
    [CmdletBinding()]
    param([int] $InterfaceIndex)

    if (-not $script:Machine.Category) {
        Write-Error -Message "No MSFT_NetConnectionProfile objects found with property 'InterfaceIndex' equal to '$InterfaceIndex'."
        return
    }
    [pscustomobject]@{ InterfaceIndex = $InterfaceIndex; NetworkCategory = $script:Machine.Category }
}
