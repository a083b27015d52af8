# IPv4 arithmetic.

function ConvertTo-NodeSubnet {
    # Converts 10.244.3.1/24 to 10.244.3.0/24.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Prefix)

    if ($Prefix -notmatch '^(\d{1,3}(?:\.\d{1,3}){3})/(\d{1,2})$') { throw "$Prefix is not an IPv4 subnet" }
    $length = [int]$Matches[2]
    $first = Get-NodeAddressNumber -Address $Matches[1]
    $first -= $first % [long][math]::Pow(2, 32 - $length)
    '{0}/{1}' -f (ConvertTo-NodeAddressText -Number $first), $length
}

function Test-NodeSubnetMember {
    # Whether a subnet contains an address.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Subnet,
        [Parameter(Mandatory = $true)] [string] $Address
    )

    (ConvertTo-NodeSubnet -Prefix ('{0}/{1}' -f $Address, $Subnet.Split('/')[1])) -ceq $Subnet
}

function Get-NodeAddressNumber {
    # An IPv4 address as a number.
    [CmdletBinding()]
    [OutputType([long])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    $number = [long]0
    foreach ($part in $Address.Split('.')) { $number = $number * 256 + [int]$part }
    $number
}

function ConvertTo-NodeAddressText {
    # A number as an IPv4 address.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [long] $Number)

    $parts = foreach ($power in 24, 16, 8, 0) { [math]::Floor($Number / [math]::Pow(2, $power)) % 256 }
    $parts -join '.'
}

function ConvertTo-NodeCidr {
    # Converts 10.0.0.0/255.0.0.0, as the firewall returns subnets, to 10.0.0.0/8; a single address gets no length.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    if ($Address -match '^([0-9.]+)/(\d+(?:\.\d+){3})$') {
        $bits = [System.Convert]::ToString((Get-NodeAddressNumber -Address $Matches[2]), 2).TrimEnd('0').Length
        return ConvertTo-NodeCidr -Address "$($Matches[1])/$bits"
    }
    if ($Address -match '^[0-9.]+/\d+$') { return (ConvertTo-NodeSubnet -Prefix $Address) -replace '/32$' }
    $Address.ToLowerInvariant() -replace '/128$'
}
