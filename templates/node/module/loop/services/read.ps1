# Reads the state of services from the registry and the service control manager.

$script:Services = 'HKLM:\SYSTEM\CurrentControlSet\Services'

function Get-NodeServiceData {
    # Registry values of a service, under the names of the expected values.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [System.Collections.ICollection] $Value
    )

    $data = [ordered]@{}
    foreach ($path in $Value) {
        $key = "$script:Services\$Name"
        if ($path.StartsWith('Parameters\')) { $key = "$key\Parameters" }
        $data[$path] = Get-NodeRegistryData -Key $key -Name ($path -replace '^Parameters\\')
    }
    $data
}

function Get-NodeServiceStatus {
    # The status of a service, or an empty string if it does not exist.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $service = Get-Service -Name $Name -ErrorAction SilentlyContinue
    if ($null -eq $service) { '' } else { "$($service.Status)" }
}

function Test-NodeServiceActive {
    # Whether a service exists and runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    (Get-NodeServiceStatus -Name $Name) -eq 'Running'
}
