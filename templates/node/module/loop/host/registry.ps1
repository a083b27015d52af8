# Reads registry values.

function Get-NodeRegistryData {
    # The data of a registry value as it is stored, unexpanded, or $null if the value is missing.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if (-not (Test-Path -LiteralPath $Key)) { return $null }
    $data = (Get-Item -LiteralPath $Key).GetValue($Name, $null, 'DoNotExpandEnvironmentNames')
    if ($data -is [array]) { return , $data }
    $data
}
