# The service manager: what it knows stands in the registry, as on Windows; what runs does not.

$script:ServiceKey = 'SYSTEM\CurrentControlSet\Services'

function Get-HostServiceName {
    # Names of the services, and their programs.
    foreach ($key in [WinNodeHost.Registry]::Children($script:ServiceKey)) {
        if ($null -ne [WinNodeHost.Registry]::Get($key, 'ImagePath')) { $key.Substring($script:ServiceKey.Length + 1) }
    }
}

function Get-HostServiceValue {
    # A value of a service's key, or of a key below it.
    param([string] $Name, [string] $Value, [string] $Below = '')

    [WinNodeHost.Registry]::Get("$script:ServiceKey\$Name\$Below", $Value)
}

function Set-HostServiceValue {
    # Writes a value of a service's key.
    param([string] $Name, [string] $Value, [string] $Kind, [object] $Data)

    [WinNodeHost.Registry]::Set("$script:ServiceKey\$Name", $Value, $Kind, $Data)
}

function Remove-HostService {
    # Takes a service out of the service manager's data base.
    param([string] $Name)

    [WinNodeHost.Registry]::Remove("$script:ServiceKey\$Name")
    $script:Machine.Handles.Remove($Name)
}

function Assert-HostService {
    # Fails in the words of the cmdlets where there is no such service.
    param([string] $Name)

    if ($Name -notin @(Get-HostServiceName)) { throw "Cannot find any service with service name '$Name'." }
}

function Get-Service {
    [CmdletBinding()]
    param([Parameter(Position = 0)] [string[]] $Name)

    foreach ($one in $(if ($Name) { $Name } else { Get-HostServiceName })) {
        if ($one -eq 'hns' -and $script:Machine.Features['Containers'] -eq 'Installed') { [pscustomobject]@{ Name = 'hns'; DisplayName = $script:Machine.HnsDisplayName; Status = 'Running' }; continue }
        if ($one -notin @(Get-HostServiceName)) {
            Write-Error -Message "Cannot find any service with service name '$one'."
            continue
        }
        [pscustomobject]@{
            Name = $one; DisplayName = Get-HostServiceValue -Name $one -Value 'DisplayName'
            Status = Get-HostServiceStatus -Name $one
        }
    }
}

function New-Service {
    # A second one of the same name fails.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [string] $Name, [string] $BinaryPathName, [ValidateNotNullOrEmpty()] [string] $DisplayName,
        [ValidateNotNullOrEmpty()] [string] $Description,
        [ValidateSet('Automatic', 'Manual', 'Disabled')] [string] $StartupType = 'Automatic', [string[]] $DependsOn
    )

    Add-HostCall -Text "New-Service $Name"
    Assert-HostHealth -On 'New-Service'
    if ($Name -in @(Get-HostServiceName)) {
        throw "Service '$Name ($Name)' cannot be created due to the following error: The specified service already exists"
    }
    Set-HostServiceValue -Name $Name -Value 'ImagePath' -Kind ExpandString -Data $BinaryPathName
    Set-HostServiceValue -Name $Name -Value 'DisplayName' -Kind String -Data $(if ($DisplayName) { $DisplayName } else { $Name })
    Set-HostServiceValue -Name $Name -Value 'Start' -Kind DWord -Data (ConvertTo-HostStart -Mode $StartupType)
    Set-HostServiceValue -Name $Name -Value 'ObjectName' -Kind String -Data 'LocalSystem'
    Set-HostServiceValue -Name $Name -Value 'Type' -Kind DWord -Data 16
    if ($Description) { Set-HostServiceValue -Name $Name -Value 'Description' -Kind String -Data $Description }
    if ($DependsOn) { Set-HostServiceValue -Name $Name -Value 'DependOnService' -Kind MultiString -Data $DependsOn }
    Get-Service -Name $Name
}

function ConvertTo-HostStart {
    # The registry's number for a way to start.
    param([string] $Mode)

    @{ Automatic = 2; Manual = 3; Disabled = 4 }[$Mode]
}

function Set-Service {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([string] $Name, [ValidateNotNullOrEmpty()] [string] $Description, [string] $StartupType)

    Add-HostCall -Text "Set-Service $Name"
    Assert-HostService -Name $Name
    if ($PSBoundParameters.ContainsKey('Description')) {
        Set-HostServiceValue -Name $Name -Value 'Description' -Kind String -Data $Description
    }
    if ($StartupType) {
        Set-HostServiceValue -Name $Name -Value 'Start' -Kind DWord -Data (ConvertTo-HostStart -Mode $StartupType)
    }
}

function Start-Service {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Position = 0)] [string] $Name)

    Add-HostCall -Text "Start-Service $Name"
    Assert-HostService -Name $Name
    Start-HostService -Name $Name
}

function Stop-Service {
    # With -Force also those that need it; without, their presence is an error. Waits without end for one that
    # hangs.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Position = 0)] [string] $Name, [switch] $Force, [switch] $NoWait)

    Add-HostCall -Text "Stop-Service $Name"
    Assert-HostService -Name $Name
    Assert-HostHealth -On "Stop-Service $Name"
    $needing = @(Get-HostServiceName | Where-Object -FilterScript {
            $script:Machine.Running.ContainsKey($_) -and (Get-HostServiceValue -Name $_ -Value 'DependOnService') -contains $Name
        })
    if ($needing.Count -gt 0 -and -not $Force) {
        throw "Cannot stop service '$Name ($Name)' because it has dependent services. It can only be stopped if the Force flag is set."
    }
    if ($script:Machine.Hanging -contains $Name) {
        if (-not $NoWait) { throw "Stop-Service waits for $Name for ever" }
        return
    }
    foreach ($one in $needing) { Wait-HostStop -Name $one }
    if ($NoWait) { Stop-HostService -Name $Name } else { Wait-HostStop -Name $Name }
}

function Restart-Service {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Position = 0)] [string] $Name, [switch] $Force)

    Add-HostCall -Text "Restart-Service $Name"
    Assert-HostHealth -On "Restart-Service $Name"
    if ($Name -eq 'hns') { return Restart-HostHns }
    Assert-HostService -Name $Name
    Wait-HostStop -Name $Name
    Start-HostService -Name $Name
}

# Answers of Win32_Service.Change: https://learn.microsoft.com/windows/win32/cimwin32prov/change-method-in-class-win32-service
function Edit-HostService {
    param([string] $Name, [hashtable] $Change)

    Add-HostCall -Text "Win32_Service.Change $Name"
    if (1 -eq (Get-HostServiceValue -Name $Name -Value 'DeleteFlag')) { return 16 }
    foreach ($field in $Change.Keys) {
        $data = $Change[$field]
        switch ($field) {
            'PathName' { Set-HostServiceValue -Name $Name -Value 'ImagePath' -Kind ExpandString -Data $data }
            'DisplayName' { Set-HostServiceValue -Name $Name -Value 'DisplayName' -Kind String -Data $data }
            'StartMode' {
                $mode = if ($data -eq 'Automatic') { 2 } elseif ($data -eq 'Manual') { 3 } elseif ($data -eq 'Disabled') { 4 } else { return 21 }
                Set-HostServiceValue -Name $Name -Value 'Start' -Kind DWord -Data $mode
            }
            'ServiceDependencies' {
                # One empty text clears; an empty list says nothing.
                if ($data.Count -eq 1 -and $data[0] -eq '') {
                    [WinNodeHost.Registry]::Clear("$script:ServiceKey\$Name", 'DependOnService')
                } elseif ($data.Count -gt 0) {
                    Set-HostServiceValue -Name $Name -Value 'DependOnService' -Kind MultiString -Data $data
                }
            }
            default { return 21 }
        }
    }
    0
}
