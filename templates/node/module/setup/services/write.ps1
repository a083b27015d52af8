# Creates, changes and deletes services.

function Edit-NodeServiceControl {
    # Calls Win32_Service.Change, which keeps quotes in a command line; sc.exe does not.
    # https://learn.microsoft.com/windows/win32/cimwin32prov/change-method-in-class-win32-service
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [hashtable] $Change
    )

    $service = Get-CimInstance -ClassName Win32_Service -Filter "Name='$Name'"
    if ($null -eq $service) { throw "service $Name not found" }
    $code = (Invoke-CimMethod -InputObject $service -MethodName Change -Arguments $Change).ReturnValue
    if ($code -ne 0) { throw "the service $Name cannot be changed: code $code" }
}

function ConvertTo-NodeStartMode {
    # The start mode for Win32_Service and Set-Service, from the number in the registry.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [object] $Start)

    switch ($Start) { 2 { 'Automatic' } 4 { 'Disabled' } default { 'Manual' } }
}

function Write-NodeService {
    # Creates a service, or changes it to the expected values.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish
    )

    $needs = @($Wish['DependOnService'])
    if (Test-Path -LiteralPath "$script:Services\$Name") {
        Edit-NodeServiceControl -Name $Name -Change @{
            PathName            = $Wish['ImagePath']
            DisplayName         = $Wish['DisplayName']
            StartMode           = ConvertTo-NodeStartMode -Start $Wish['Start']
            # One empty string removes all dependencies; an empty list would not change them.
            ServiceDependencies = [string[]]@(if ($needs.Count -gt 0) { $needs } else { '' })
        }
        if ($Wish['Description'] -ne '') {
            Set-Service -Name $Name -Description $Wish['Description']
        } else {
            # Set-Service rejects an empty string.
            Clear-NodeRegistryData -Key "$script:Services\$Name" -Name 'Description'
        }
    } else {
        $service = @{
            Name           = $Name
            BinaryPathName = $Wish['ImagePath']
            StartupType    = ConvertTo-NodeStartMode -Start $Wish['Start']
        }
        foreach ($field in 'DisplayName', 'Description') {
            if ($Wish[$field]) { $service[$field] = $Wish[$field] }
        }
        if ($needs.Count -gt 0) { $service['DependsOn'] = [string[]]$needs }
        $null = New-Service @service
    }
    foreach ($path in @($Wish.Keys)) {
        if ($path -ne 'Environment' -and -not $path.StartsWith('Parameters\')) { continue }
        Write-NodeServiceData -Name $Name -Path $path -Value $Wish[$path]
    }
}

function Write-NodeServiceData {
    # Sets values that only the registry has: the environment, and the parameters of nssm.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyString()] [AllowEmptyCollection()] [object] $Value
    )

    $key = "$script:Services\$Name"
    if ($Path.StartsWith('Parameters\')) { $key = "$key\Parameters" }
    $short = $Path -replace '^Parameters\\'
    if ($null -eq $Value -or ($Value -is [array] -and $Value.Count -eq 0)) {
        Clear-NodeRegistryData -Key $key -Name $short
    } elseif ($Value -is [array]) {
        Write-NodeRegistryData -Key $key -Name $short -Type 'MultiString' -Value ([string[]]$Value)
    } elseif ($Value -is [string]) {
        Write-NodeRegistryData -Key $key -Name $short -Type 'String' -Value $Value
    } else {
        Write-NodeRegistryData -Key $key -Name $short -Type 'DWord' -Value ([int]$Value)
    }
}

function Unregister-NodeService {
    # Stops and deletes a service. Returns whether it is deleted only at the next boot.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (-not (Test-Path -LiteralPath "$script:Services\$Name")) { return $false }
    Close-NodeService -Name $Name
    # 1060: it does not exist; 1072: already marked for deletion.
    $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList 'delete', $Name -SuccessCode 0, 1060, 1072
    $gone = Wait-NodeCondition -Seconds 10 -Condition { -not (Test-Path -LiteralPath "$script:Services\$Name") }
    -not $gone
}
