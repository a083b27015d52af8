#Requires -Version 5.1
<#
    .SYNOPSIS
        Says as JSON what PSScriptAnalyzer finds in the scripts below a folder, with the settings beside this.
#>
[CmdletBinding()]
param([Parameter(Mandatory = $true)] [string] $Folder)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$answer = [ordered]@{ module = ''; findings = @(); bad = @() }
$module = @(Get-Module -Name PSScriptAnalyzer -ListAvailable)
if ($module.Count -gt 0) {
    Import-Module -ModuleInfo $module[0]
    $settings = Join-Path -Path $PSScriptRoot -ChildPath 'PSScriptAnalyzerSettings.psd1'
    $answer.module = $module[0].ModuleBase
    $found = @(Get-ChildItem -LiteralPath $Folder -File -Recurse | Where-Object -FilterScript {
            $_.Extension -in '.ps1', '.psm1'
        } | ForEach-Object -Process { Invoke-ScriptAnalyzer -Path $_.FullName -Settings $settings })
    $answer.findings = @($found | ForEach-Object -Process {
            '{0}:{1}: {2}: {3}' -f $_.ScriptName, $_.Line, $_.RuleName, $_.Message
        })
    # Whoever turns a rule off, or names a profile that is not there, finds nothing here.
    $bad = "function Fetch-It {`n  Write-Host -Object (`$a ?? 1)`n    Invoke-Expression -Command 'Get-Uptime'`n" +
    "    Get-Uptime`n}`n"
    $answer.bad = @(Invoke-ScriptAnalyzer -ScriptDefinition $bad -Settings $settings |
            ForEach-Object -Process { $_.RuleName } | Sort-Object -Unique)
}
ConvertTo-Json -InputObject $answer -Depth 3 -Compress
