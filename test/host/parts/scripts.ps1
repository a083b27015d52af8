# Loads the modules under test, and gives them our programs.

# Which modules are loaded, by the digests of their files; those that were loaded before, by the same.
$script:Loaded = ''
$script:Modules = @{}
$script:Loading = $false

function Import-Module {
    # As the real one, but a module whose bytes were loaded before is not parsed again, because that takes longer than
    # a run; gives it our programs. All functions are in the module WinNode.Loop.
    [CmdletBinding()]
    param([string] $Name, [System.Management.Automation.PSModuleInfo] $ModuleInfo, [string[]] $Function, [switch] $Force, [switch] $Global)

    # Another module: only the requested functions are imported into the caller's scope, which is global here.
    if ($Function) { return Microsoft.PowerShell.Core\Import-Module -Name $Name -Function $Function -Global -DisableNameChecking }
    if ($ModuleInfo) { return Microsoft.PowerShell.Core\Import-Module -ModuleInfo $ModuleInfo -Global:$Global }
    if ($script:Loading) { return Microsoft.PowerShell.Core\Import-Module -Name $Name -Force:$Force -Global:$Global }

    $folder = [System.IO.Path]::GetDirectoryName($Name.Replace('\', '/'))
    $files = @(Get-ChildItem -LiteralPath $folder -Filter 'WinNode*.psm1')
    # Not by its folder: every bundle has the same modules.
    $key = $Name.Substring($folder.Length + 1) + ($files | ForEach-Object -Process { (Get-FileHash -LiteralPath $_.PSPath).Hash })
    if ($key -eq $script:Loaded) { return }
    Complete-HostWrapper
    # One with other bytes would stay beside the new one.
    Get-Module -Name 'WinNode*' | Remove-Module -Force
    if ($script:Modules.ContainsKey($key)) {
        Microsoft.PowerShell.Core\Import-Module -ModuleInfo $script:Modules[$key] -Global
    } else {
        $script:Loading = $true
        try { Microsoft.PowerShell.Core\Import-Module -Name $Name -Force:$Force -Global } finally { $script:Loading = $false }
        $module = Get-Module -Name 'WinNode.Loop'
        Use-HostProgram -Module $module
        if (-not $Name.EndsWith('WinNode.Loop.psm1')) {
            Use-HostReplace -Module $module
            Use-HostDisk -Module $module
        }
        $script:Modules = @{ $key = $module } + $(if ($script:Modules.Count -lt 6) { $script:Modules } else { @{} })
    }
    Add-HostWrapper
    $script:Loaded = $key
}
