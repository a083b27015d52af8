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
    # Not as the parameter's default: in 5.1, $PSScriptRoot is still empty there.
    # https://github.com/PowerShell/PowerShell/issues/4688
    if ($Path -eq '') { $Path = $PSScriptRoot }
    # First, and with cmdlets only: under an application control policy the module would stop halfway.
    $refusal = @(
        if ("$($ExecutionContext.SessionState.LanguageMode)" -ne 'FullLanguage') {
            'PowerShell runs in constrained language mode: allow this script in the application control policy'
        }
        # High or system integrity: an unelevated administrator is not enough. SIDs are language-neutral. The full
        # path, because Git for Windows has another whoami.exe.
        $groups = & "$env:SystemRoot\System32\whoami.exe" /groups /fo csv /nh
        if (-not ($groups | Select-String -Pattern 'S-1-16-(12288|16384)' -Quiet)) {
            'PowerShell is not elevated: open it with Run as administrator'
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
        # powershell.exe prints warnings to standard output, between the JSON: "Waiting for service...".
        $result = Reset-Node @call -WhatIf:$WhatIfPreference 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
