#Requires -Version 5.1
<#
    .SYNOPSIS
        Writes a node report for diagnosis: one JSON file and one zip.

    .DESCRIPTION
        Versions, services, networks, firewall, events, logs, configuration, and the result of every test. The
        module lists what is collected: never kubeconfigs or keys. Values that look like secrets are replaced by
        <hidden>. What could not be read is listed in the report, under unread, and printed at the end.

        Exit codes: 0 done, 1 failed, 2 refused.

    .EXAMPLE
        .\Export-WinNodeReport.ps1 -Destination C:\temp

        Writes C:\temp\winnode-report.json and C:\temp\winnode-report.zip.
#>
[CmdletBinding()]
param(
    # Folder with node.json and its files; by default the folder of this script.
    [Parameter()]
    [string]
    $Path = '',

    # Folder for the two files; by default the log folder of node.json.
    [Parameter()]
    [string]
    $Destination = '',

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
        Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'WinNode.Report.psm1') -Force
        $talk = if ($AsJson) { 'SilentlyContinue' } else { 'Continue' }
        # powershell.exe prints warnings to standard output, between the JSON: "Waiting for service...".
        $result = Export-NodeReport -Path $Path -Destination $Destination -InformationAction $talk 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
