#Requires -Version 5.1
<#
    .SYNOPSIS
        Collects what a diagnosis needs into one JSON file and one zip.

    .DESCRIPTION
        Versions, services, networks, firewall, events, logs, configuration, and the result of every test. Only
        what is named in the module gets in, kubeconfigs and keys never do, and what looks like a secret is
        replaced by <hidden>. What could not be read is named in the report, under unread, and at the end.

        Exit codes: 0 done, 1 failed, 2 refused.

    .EXAMPLE
        .\Export-WinNodeReport.ps1 -Destination C:\temp

        Writes C:\temp\winnode-report.json and C:\temp\winnode-report.zip.
#>
[CmdletBinding()]
param(
    # Folder that holds node.json and the files it names; this script's own where none is given.
    [Parameter()]
    [string]
    $Path = '',

    # Folder for the two files; the log folder of node.json where none is given.
    [Parameter()]
    [string]
    $Destination = '',

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
        # powershell.exe prints warnings to standard output, among the JSON: "Waiting for service...".
        $result = Export-NodeReport -Path $Path -Destination $Destination -InformationAction $talk 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
