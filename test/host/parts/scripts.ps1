# Loads the modules under test, and gives them our programs.

# Which modules are loaded, by the digests of their files, and for which folder; those that were loaded before, by the
# same, with what they held then.
$script:Loaded = ''
$script:LoadedFor = ''
$script:Modules = @{}
$script:Begun = @{}
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
    # The folder as it really is: a script knows it by another name than a test.
    $real = (Get-Item -LiteralPath $folder).FullName
    # Not by its folder: every bundle has the same modules.
    $key = $Name.Substring($folder.Length + 1) + ($files | ForEach-Object -Process { (Get-FileHash -LiteralPath $_.PSPath).Hash })
    if ($key -eq $script:Loaded -and $real -eq $script:LoadedFor) { return }
    Complete-HostWrapper
    # One with other bytes would stay beside the new one.
    Get-Module -Name 'WinNode*' | Remove-Module -Force
    if ($script:Modules.ContainsKey($key)) {
        Reset-HostModule -Module $script:Modules[$key] -Begun $script:Begun[$key]
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
        if ($script:Modules.Count -ge 6) { $script:Modules = @{}; $script:Begun = @{} }
        $script:Modules[$key] = $module
        $script:Begun[$key] = Get-HostModuleState -Module $module
    }
    Add-HostWrapper
    $script:Loaded = $key
    $script:LoadedFor = $real
}

function Get-HostModuleState {
    # What a module holds once it is loaded: its functions, its variables, and the rows of its tables.
    param([System.Management.Automation.PSModuleInfo] $Module)

    $state = @{ Functions = @{}; Values = @{}; Tables = @{} }
    & $Module {
        param($State)
        foreach ($one in Get-ChildItem -Path function:) { if ($one.ModuleName -eq 'WinNode.Loop') { $State.Functions[$one.Name] = $one.ScriptBlock } }
        foreach ($one in Get-Variable -Scope Script) {
            # PowerShell's own are Error, PSScriptRoot, MyInvocation, args and the like.
            if ($one.Options -ne 'None' -or $one.Name -cnotmatch '^(?!PS|MyInvocation)[A-Z]') { continue }
            $State.Values[$one.Name] = $one.Value
            if ($one.Value -is [System.Collections.IDictionary]) { $State.Tables[$one.Name] = @($one.Value.GetEnumerator()) }
        }
    } $state
    $state
}

function Reset-HostModule {
    # As in a new process: the functions and limits that a test has replaced are the module's own again.
    param([System.Management.Automation.PSModuleInfo] $Module, [hashtable] $Begun)

    & $Module {
        param($State)
        foreach ($one in @(Get-ChildItem -Path function:)) {
            $its = $State.Functions[$one.Name]
            if ($null -ne $its -and -not [object]::ReferenceEquals($one.ScriptBlock, $its)) { Set-Item -LiteralPath "function:script:$($one.Name)" -Value $its }
        }
        foreach ($name in $State.Values.Keys) { Set-Variable -Scope Script -Name $name -Value $State.Values[$name] }
        foreach ($name in $State.Tables.Keys) {
            $table = $State.Values[$name]
            $table.Clear()
            foreach ($row in $State.Tables[$name]) { $table[$row.Key] = $row.Value }
        }
    } $Begun
}
