<#
    .SYNOPSIS
        Takes away what node.json put on this machine, and restores what was before.

    .DESCRIPTION
        Goes backwards through the steps, and leaves what it did not put there. Safe to run again.

    .EXAMPLE
        .\Reset-WinNode.ps1 -WhatIf

        Says what would go.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder that holds node.json and WinNode.psm1.
    [Parameter()]
    [ValidateNotNullOrEmpty()]
    [string]
    $Path = $PSScriptRoot,

    # Also removes folders that are not empty; never containerd's layers.
    [Parameter()]
    [switch]
    $RemoveData,

    # Also removes Windows features that an installation added.
    [Parameter()]
    [switch]
    $RemoveFeature,

    # Exit code that asks the caller for a restart: 3010 for Packer, 1003 for cloudbase-init.
    [Parameter()]
    [int]
    $RestartExitCode = 3010,

    # Prints the result as one JSON object.
    [Parameter()]
    [switch]
    $AsJson
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$exitCode = 1
try {
    Import-Module -Name (Join-Path -Path $Path -ChildPath 'WinNode.psm1') -Force
    $choice = @{ RemoveData = $RemoveData; RemoveFeature = $RemoveFeature; RestartExitCode = $RestartExitCode }
    $result = Reset-Node -Path $Path @choice -WhatIf:$WhatIfPreference
    if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    $exitCode = $result['exitCode']
} catch {
    [Console]::Error.WriteLine(($_ | Out-String))
}
exit $exitCode
