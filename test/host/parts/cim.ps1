# CIM: the operating system, the drive C:, and services as Win32_Service.

function Get-CimInstance {
    [CmdletBinding()]
    param([string] $ClassName, [string] $Filter)

    if ($ClassName -eq 'Win32_OperatingSystem') {
        $boot = $script:Epoch.AddSeconds($script:Machine.Boot).ToLocalTime()
        return [pscustomobject]@{ LastBootUpTime = $boot; Caption = 'Microsoft Windows Server Datacenter' }
    }
    if ($ClassName -eq 'Win32_LogicalDisk') {
        return [pscustomobject]@{ DeviceID = 'C:'; FreeSpace = [uint64]$script:Machine.FreeSpace }
    }
    if ($ClassName -ne 'Win32_Service') { throw "Invalid class $ClassName" }
    $name = [regex]::Match($Filter, "^Name='([^']*)'$").Groups[1].Value
    if ($name -in @(Get-HostServiceName)) { [pscustomobject]@{ Name = $name; Class = 'Win32_Service' } }
}

function Invoke-CimMethod {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([object] $InputObject, [string] $MethodName, [hashtable] $Arguments)

    if ($MethodName -ne 'Change') { throw "Invalid method $MethodName" }
    Assert-HostHealth -On 'Win32_Service.Change'
    [pscustomobject]@{ ReturnValue = [uint32](Edit-HostService -Name $InputObject.Name -Change $Arguments) }
}
