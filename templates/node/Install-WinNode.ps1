#Requires -Version 5.1
<#
    .SYNOPSIS
        Configures this machine as node.json describes.

    .DESCRIPTION
        Tests every step and changes only what differs. Can be rerun. Never restarts the machine: on exit code
        3010, restart it and rerun this script.

        Exit codes: 0 done, 1 failed, 2 a check failed (nothing was changed), 3010 restart and rerun.

    .EXAMPLE
        .\Install-WinNode.ps1 -WhatIf

        Dry run: prints what would change.

    .EXAMPLE
        powershell.exe -NoProfile -NonInteractive -File .\Install-WinNode.ps1

        Installs from a pipeline.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder with node.json and its files; by default the folder of this script.
    [Parameter()]
    [string]
    $Path = '',

    # image: before the machine joins a cluster. boot: the reconcile loop of a node that has joined, run by a
    # scheduled task at each boot, on failures, and every 30 minutes.
    [Parameter()]
    [ValidateSet('image', 'boot')]
    [string]
    $Phase = 'image',

    # Exit code that asks the caller for a restart: 3010 for Packer, 1003 for cloudbase-init.
    [Parameter()]
    [int]
    $RestartExitCode = 3010,

    # Replaces running programs even if pods run that no DaemonSet would start again.
    [Parameter()]
    [switch]
    $Force,

    # Prints only one JSON object.
    [Parameter()]
    [switch]
    $AsJson
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$exitCode = 1
try {
    $call = @{ Path = $Path; Phase = $Phase; RestartExitCode = $RestartExitCode; Force = $Force }
    $run = Join-Path -Path $PSScriptRoot -ChildPath 'Invoke-WinNode.ps1'
    & $run -Command Install-Node -Call $call -AsJson:$AsJson -WhatIf:$WhatIfPreference
    $exitCode = $LASTEXITCODE
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
