#Requires -Version 5.1
<#
    .SYNOPSIS
        Suspends the reconcile loop of a node for a time, so that an administrator can work on the machine.

    .DESCRIPTION
        The scheduled task still runs, but changes nothing. The suspension survives a restart of the machine and
        ends by itself; Test-WinNode.ps1 reports it. Scripts that are run by hand work as usual.

        Exit codes: 0 done, 1 failed, 2 a check failed (nothing was changed).

    .EXAMPLE
        .\Suspend-WinNode.ps1 -For 2h

        For two hours the reconcile loop starts, writes and removes nothing.

    .EXAMPLE
        .\Suspend-WinNode.ps1 -For 0m

        Ends the suspension now.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # How long: minutes, hours or days, such as 30m, 2h, 1d; at most 7d. 0m ends the suspension.
    [Parameter(Mandatory = $true)]
    [string]
    $For,

    # Folder with node.json and its files; by default the folder of this script.
    [Parameter()]
    [string]
    $Path = '',

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
        $call = @{ Path = $Path; For = $For; InformationAction = $talk }
        # powershell.exe prints warnings to standard output, between the JSON: "Waiting for service...".
        $result = Suspend-Node @call -WhatIf:$WhatIfPreference 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
