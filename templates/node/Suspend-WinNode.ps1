#Requires -Version 5.1
<#
    .SYNOPSIS
        Keeps the loop of a member from doing anything for a while, so that a person can work on the machine.

    .DESCRIPTION
        The task runs on, and its runs do nothing. This outlives a restart of the machine and ends by itself;
        Test-WinNode.ps1 says that it is so. What a person runs by hand works as ever.

        Exit codes: 0 done, 1 failed, 2 refused.

    .EXAMPLE
        .\Suspend-WinNode.ps1 -For 2h

        For two hours nothing is started, written or removed by the loop.

    .EXAMPLE
        .\Suspend-WinNode.ps1 -For 0m

        Ends it now.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # How long: minutes, hours or days, such as 30m, 2h, 1d; at most 7d. 0m ends it.
    [Parameter(Mandatory = $true)]
    [string]
    $For,

    # Folder that holds node.json and the files it names; this script's own where none is given.
    [Parameter()]
    [string]
    $Path = '',

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
        $call = @{ Path = $Path; For = $For; InformationAction = $talk }
        # powershell.exe prints warnings to standard output, among the JSON: "Waiting for service...".
        $result = Suspend-Node @call -WhatIf:$WhatIfPreference 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
