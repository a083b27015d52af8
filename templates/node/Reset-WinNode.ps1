#Requires -Version 5.1
<#
    .SYNOPSIS
        Takes away what node.json put on this machine, and restores what was there before.

    .DESCRIPTION
        Goes backwards through the steps and can be run again. What stays is named: data of pods, logs,
        Windows features, and folders that hold something. Delete the Node object on the side of the cluster.

        Exit codes: 0 done, 1 failed, 2 refused, 3010 restart.

    .EXAMPLE
        .\Reset-WinNode.ps1 -RemoveData

        Also removes the kubelet's folders with all they hold.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder that holds node.json and the files it names; this script's own where none is given.
    [Parameter()]
    [string]
    $Path = '',

    # Also removes folders that are not empty; never the layers of images, which only containerd can remove.
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

    # Prints one JSON object and nothing else.
    [Parameter()]
    [switch]
    $AsJson
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$exitCode = 1
try {
    # Not as the default of the parameter, where 5.1 has no value for it yet:
    # https://github.com/PowerShell/PowerShell/issues/4688
    if ($Path -eq '') { $Path = $PSScriptRoot }
    # First and with nothing but cmdlets: under a policy of application control the module would stop halfway.
    $refusal = @(
        if ("$($ExecutionContext.SessionState.LanguageMode)" -ne 'FullLanguage') {
            'PowerShell runs in constrained language mode; a policy must allow this script'
        }
        # High or system integrity: an administrator's name is not enough. The SIDs are the same everywhere.
        if (-not (whoami.exe /groups /fo csv /nh | Select-String -Pattern 'S-1-16-(12288|16384)' -Quiet)) {
            'this is not an administrator''s PowerShell; open one with Run as administrator'
        }
    )
    if ($refusal.Count -gt 0) {
        $result = [ordered]@{
            apiVersion = 'winnode/v1'; kind = 'NodeResult'; name = ''; exitCode = 2; restart = $false
            message = $refusal -join '; '; steps = @(); preflight = @(); health = @()
        }
        if ($AsJson) { ConvertTo-Json -InputObject $result -Depth 4 } else {
            Write-Error -Message $result.message -ErrorAction Continue
        }
    } else {
        Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'WinNode.psm1') -Force
        $talk = if ($AsJson) { 'SilentlyContinue' } else { 'Continue' }
        $call = @{
            Path              = $Path
            RemoveData        = $RemoveData
            RemoveFeature     = $RemoveFeature
            RestartExitCode   = $RestartExitCode
            InformationAction = $talk
        }
        # powershell.exe prints warnings to standard output, among the JSON: "Waiting for service...".
        $result = Reset-Node @call -WhatIf:$WhatIfPreference 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
