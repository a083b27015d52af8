<#
    .SYNOPSIS
        Brings this machine to the state that node.json describes.

    .DESCRIPTION
        Tests every step and changes only what differs. Safe to run again. Never restarts the machine:
        exit code 3010 asks the caller to.

    .EXAMPLE
        .\Install-WinNode.ps1 -WhatIf

        Says what would change.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder that holds node.json and WinNode.psm1.
    [Parameter()]
    [ValidateNotNullOrEmpty()]
    [string]
    $Path = $PSScriptRoot,

    # image: before any cluster is known. boot: what each start of a machine that has joined needs.
    # logs: rotates logs.
    [Parameter()]
    [ValidateSet('image', 'boot', 'logs')]
    [string]
    $Phase = 'image',

    # Exit code that asks the caller for a restart: 3010 for Packer, 1003 for cloudbase-init.
    [Parameter()]
    [int]
    $RestartExitCode = 3010,

    # Replaces programs although pods run that nothing would bring back.
    [Parameter()]
    [switch]
    $Force,

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
    $result = Install-Node -Path $Path -Phase $Phase -RestartExitCode $RestartExitCode -Force:$Force -WhatIf:$WhatIfPreference
    if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    $exitCode = $result['exitCode']
} catch {
    [Console]::Error.WriteLine(($_ | Out-String))
}
exit $exitCode
