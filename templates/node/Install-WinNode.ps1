#Requires -Version 5.1
<#
    .SYNOPSIS
        Brings this machine to the state that node.json describes.

    .DESCRIPTION
        Tests every step and changes only what differs. Safe to run again. Never restarts the machine: exit
        code 3010 asks the caller to restart it and to run this again.

        Exit codes: 0 done, 1 failed, 2 this machine cannot be a node (nothing was changed), 3010 restart.

    .EXAMPLE
        .\Install-WinNode.ps1 -WhatIf

        Says what would change.

    .EXAMPLE
        powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File .\Install-WinNode.ps1

        Installs, as a pipeline does it.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder that holds node.json and the files it names; this script's own where none is given.
    [Parameter()]
    [string]
    $Path = '',

    # image: before any cluster is known. boot: brings a machine that has joined back to what is described; a
    # task runs it at each start and every five minutes.
    [Parameter()]
    [ValidateSet('image', 'boot')]
    [string]
    $Phase = 'image',

    # Exit code that asks the caller for a restart: 3010 for Packer, 1003 for cloudbase-init.
    [Parameter()]
    [int]
    $RestartExitCode = 3010,

    # Replaces running programs although pods run here that nothing would bring back.
    [Parameter()]
    [switch]
    $Force,

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
            Phase             = $Phase
            RestartExitCode   = $RestartExitCode
            Force             = $Force
            InformationAction = $talk
        }
        # powershell.exe prints warnings to standard output, among the JSON: "Waiting for service...".
        $result = Install-Node @call -WhatIf:$WhatIfPreference 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
