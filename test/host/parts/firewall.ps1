# The firewall: names are unique, and subnets come back with a mask.

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
    [CmdletBinding()]
    param([string] $Name)

    if ($script:Machine.Rules.ContainsKey($Name)) { return [pscustomobject]$script:Machine.Rules[$Name] }
    Write-Error -Message (
        "No MSFT_NetFirewallRule objects found with property 'InstanceID' equal to '$Name'.  " +
        'Verify the value of the property and retry.'
    )
}

function Get-NetFirewallPortFilter {
    [CmdletBinding()]
    param([Parameter(ValueFromPipeline = $true)] [object] $InputObject)

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

function Remove-NetFirewallRule {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $Name)

    Add-HostCall -Text "Remove-NetFirewallRule $Name"
    $null = Get-NetFirewallRule -Name $Name
    $script:Machine.Rules.Remove($Name)
}

function Get-NetFirewallProfile {
    [CmdletBinding()]
    param()

    foreach ($name in 'Domain', 'Private', 'Public') {
        [pscustomobject]@{ Name = $name; Enabled = 'True'; DefaultInboundAction = 'NotConfigured' }
    }
}
