#Requires -Version 5.1
<#
    .SYNOPSIS
        Runs one command of the modules; the scripts beside it call it.

    .DESCRIPTION
        Checks first that the scripts can work at all. Prints the result as JSON, or why there is none, and exits
        with the exit code of the command.

    .EXAMPLE
        .\Invoke-WinNode.ps1 -Command Test-Node -Call @{ Phase = 'boot' }

        Does the same as Test-WinNode.ps1 -Phase boot.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Command of a module.
    [Parameter(Mandatory = $true)]
    [ValidateSet('Install-Node', 'Join-Node', 'Test-Node', 'Suspend-Node', 'Reset-Node', 'Export-NodeReport')]
    [string]
    $Command,

    # Parameters of the command.
    [Parameter(Mandatory = $true)]
    [hashtable]
    $Call,

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
    # Not as a parameter's default: in 5.1, $PSScriptRoot is still empty there.
    # https://github.com/PowerShell/PowerShell/issues/4688
    if ("$($Call['Path'])" -eq '') { $Call['Path'] = $PSScriptRoot }
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
        $kind = if ($Command -eq 'Test-Node') { 'NodeSnapshot' } else { 'NodeResult' }
        $result = [ordered]@{
            apiVersion = 'winnode/v1'; kind = $kind; name = ''; exitCode = 2; restart = $false
            message = $refusal -join '; '; steps = @(); preflight = @(); health = @()
        }
        if ($AsJson) { ConvertTo-Json -InputObject $result -Depth 4 } else {
            Write-Error -Message $result.message -ErrorAction Continue
        }
    } else {
        $result = $null
        # Most runs of the reconcile loop find nothing to do, and load only a small part of the code.
        if ($Command -eq 'Install-Node' -and $Call['Phase'] -eq 'boot' -and -not $WhatIfPreference) {
            Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'WinNode.Loop.psm1') -Force
            $result = Watch-Node -Path $Call['Path']
        }
        if ($null -eq $result) {
            $module = if ($Command -eq 'Export-NodeReport') { 'WinNode.Report.psm1' } else { 'WinNode.psm1' }
            Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath $module) -Force
            $Call['InformationAction'] = if ($AsJson) { 'SilentlyContinue' } else { 'Continue' }
            if ($WhatIfPreference) { $Call['WhatIf'] = $true }
            # powershell.exe prints warnings to standard output, between the JSON: "Waiting for service...".
            $result = & $Command @Call 3>$null
        }
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
