# Registry values as they are stored.

function Get-NodeRegistryData {
    # The data of a registry value as it is stored, unexpanded, or $null where there is none.
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

function Write-NodeRegistryData {
    # Sets a registry value, and makes its key where it is missing.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Name,
        [Parameter(Mandatory = $true)] [string] $Type,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [AllowEmptyCollection()] [object] $Value
    )

    # With -Force, New-Item empties a key that is there.
    if (-not (Test-Path -LiteralPath $Key)) {
        $new = @(for ($path = $Key; -not (Test-Path -LiteralPath $path)) {
                $path
                $path = Get-NodeParent -LiteralPath $path
            })
        Add-NodeMade -Chapter registryKeys -Path $new
        $null = New-Item -Path $Key -Force
    }
    $null = New-ItemProperty -LiteralPath $Key -Name $Name -PropertyType $Type -Value $Value -Force
}

function Clear-NodeRegistryData {
    # Takes a registry value away, if it is there.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if ($null -ne (Get-NodeRegistryData -Key $Key -Name $Name)) {
        Remove-ItemProperty -LiteralPath $Key -Name $Name
    }
}

function Backup-NodeRegistryData {
    # Type and data of a value, or nothing where there is none.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $data = Get-NodeRegistryData -Key $Key -Name $Name
    if ($null -eq $data) { return $null }
    $kind = "$((Get-Item -LiteralPath $Key).GetValueKind($Name))"
    # A list of numbers, because JSON has no bytes.
    if ($data -is [byte[]]) { $data = @($data | ForEach-Object -Process { [int]$_ }) }
    [ordered]@{ type = $kind; data = $data }
}

function Restore-NodeRegistryData {
    # Puts a value back, or takes it away.
    [CmdletBinding()]
    [OutputType([void])]
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
