# Writes and restores registry values, and creates their keys.

function Write-NodeRegistryData {
    # Sets a registry value, and creates its key if it is missing.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Name,
        [Parameter(Mandatory = $true)] [string] $Type,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [AllowEmptyCollection()] [object] $Value
    )

    # With -Force, New-Item empties an existing key.
    if (-not (Test-Path -LiteralPath $Key)) {
        $new = @(for ($path = $Key; -not (Test-Path -LiteralPath $path)) {
                $path
                $path = Get-NodeParent -LiteralPath $path
            })
        Add-NodeCreated -Chapter registryKeys -Path $new
        $null = New-Item -Path $Key -Force
    }
    $null = New-ItemProperty -LiteralPath $Key -Name $Name -PropertyType $Type -Value $Value -Force
}

function Restore-NodeRegistryData {
    # Restores a registry value, or removes it.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($null -eq $Before) { Clear-NodeRegistryData -Key $Key -Name $Name; return }
    $data = $Before['data']
    if ($Before['type'] -eq 'Binary') { $data = [byte[]]$data }
    if ($Before['type'] -eq 'MultiString') { $data = [string[]]$data }
    Write-NodeRegistryData -Key $Key -Name $Name -Type $Before['type'] -Value $data
}
