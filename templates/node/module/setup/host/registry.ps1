# Backs up and removes registry values.

function Clear-NodeRegistryData {
    # Removes a registry value if it exists.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if ($null -ne (Get-NodeRegistryData -Key $Key -Name $Name)) {
        Remove-ItemProperty -LiteralPath $Key -Name $Name
    }
}

function Backup-NodeRegistryData {
    # Type and data of a registry value, or nothing if it is missing.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $data = Get-NodeRegistryData -Key $Key -Name $Name
    if ($null -eq $data) { return $null }
    $kind = "$((Get-Item -LiteralPath $Key).GetValueKind($Name))"
    # A list of numbers, because JSON has no byte type.
    if ($data -is [byte[]]) { $data = @($data | ForEach-Object -Process { [int]$_ }) }
    [ordered]@{ type = $kind; data = $data }
}
