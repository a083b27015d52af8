#Requires -Version 5.1
<#
    .SYNOPSIS
        Removes what node.json put on this machine, and restores the previous state.

    .DESCRIPTION
        Resets the steps in reverse order, and can be rerun. Lists what remains: data of pods, logs, Windows
        features, and folders that are not empty. Delete the Node object with kubectl delete node.

        Exit codes: 0 done, 1 failed, 2 a check failed (nothing was changed), 3010 restart and rerun.

    .EXAMPLE
        .\Reset-WinNode.ps1 -RemoveData

        Also removes the kubelet's folders with their contents.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder with node.json and its files; by default the folder of this script.
    [Parameter()]
    [string]
    $Path = '',

    # Also removes folders that are not empty, except image layers, which only containerd can remove.
    [Parameter()]
    [switch]
    $RemoveData,

    # Also removes the Windows features that the installation added.
    [Parameter()]
    [switch]
    $RemoveFeature,

    # Exit code that asks the caller for a restart: 3010 for Packer, 1003 for cloudbase-init.
    [Parameter()]
    [int]
    $RestartExitCode = 3010,

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
    $call = @{
        Path = $Path; RemoveData = $RemoveData; RemoveFeature = $RemoveFeature; RestartExitCode = $RestartExitCode
    }
    $run = Join-Path -Path $PSScriptRoot -ChildPath 'Invoke-WinNode.ps1'
    & $run -Command Reset-Node -Call $call -AsJson:$AsJson -WhatIf:$WhatIfPreference
    $exitCode = $LASTEXITCODE
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
