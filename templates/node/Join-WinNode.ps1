<#
    .SYNOPSIS
        Makes this machine a node of its cluster.

    .DESCRIPTION
        Run it after Install-WinNode.ps1. The token comes from the parameter, from the variable
        WINNODE_TOKEN, or from the file that node.json names; it reaches no log and no result.

    .EXAMPLE
        .\Join-WinNode.ps1 -Token $token

        Joins with a bootstrap token.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder that holds node.json and WinNode.psm1.
    [Parameter()]
    [ValidateNotNullOrEmpty()]
    [string]
    $Path = $PSScriptRoot,

    # Bootstrap token.
    [Parameter()]
    [AllowEmptyString()]
    [string]
    $Token = [string]$env:WINNODE_TOKEN,

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
    $result = Join-Node -Path $Path -Token $Token -RestartExitCode $RestartExitCode -WhatIf:$WhatIfPreference
    if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    $exitCode = $result['exitCode']
} catch {
    [Console]::Error.WriteLine(($_ | Out-String))
}
exit $exitCode
