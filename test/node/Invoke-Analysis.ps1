#Requires -Version 5.1
<#
    .SYNOPSIS
        Says as JSON what PSScriptAnalyzer finds in the scripts below a folder, with the settings beside this.

    .DESCRIPTION
        Each version that is installed runs in a separate PowerShell, because it cannot be unloaded. Without -Version it
        lists them, the newest first.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory = $true)] [string] $Folder,
    [Parameter()] [string] $Version = ''
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$modules = @(Get-Module -Name PSScriptAnalyzer -ListAvailable | Sort-Object -Property Version -Descending)
if ($Version -eq '') {
    ConvertTo-Json -InputObject @($modules | ForEach-Object -Process { "$($_.Version)" }) -Compress
    return
}
$module = @($modules | Where-Object -FilterScript { "$($_.Version)" -eq $Version })[0]
Import-Module -ModuleInfo $module
# It asks Get-Command for each name that a script calls; the names of Windows it would look for in every folder of
# PATH, in three quarters of its time, and a program of this machine of that name would be an answer.
$env:PATH = ''
$settings = Import-PowerShellDataFile -LiteralPath (
    Join-Path -Path $PSScriptRoot -ChildPath 'PSScriptAnalyzerSettings.psd1'
)
$name = $settings.Rules.PSUseCompatibleCommands.TargetProfiles[0]
$compatibility = Join-Path -Path $module.ModuleBase -ChildPath "compatibility_profiles/$name.json"
$known = Test-Path -LiteralPath $compatibility
# Without its profile the rule ends all others with a NullReferenceException.
if (-not $known) { $settings.Rules.Remove('PSUseCompatibleCommands') }

$found = @(Get-ChildItem -LiteralPath $Folder -File -Recurse | Where-Object -FilterScript {
        $_.Extension -in '.ps1', '.psm1'
    } | ForEach-Object -Process { Invoke-ScriptAnalyzer -Path $_.FullName -Settings $settings })
# A rule that is turned off finds nothing here.
$bad = "function Fetch-It {`n  Write-Host -Object (`$a ?? 1)`n    Invoke-Expression -Command 'Get-Uptime'`n" +
"    Get-Uptime`n}`n"
$answer = [ordered]@{
    profile  = if ($known) { $compatibility } else { '' }
    findings = @($found | ForEach-Object -Process {
            '{0}:{1}: {2}: {3}' -f $_.ScriptName, $_.Line, $_.RuleName, $_.Message
        })
    bad      = @(Invoke-ScriptAnalyzer -ScriptDefinition $bad -Settings $settings |
            ForEach-Object -Process { $_.RuleName } | Sort-Object -Unique)
}
ConvertTo-Json -InputObject $answer -Depth 3 -Compress
