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
    $call = @{ Path = $Path; For = $For }
    $run = Join-Path -Path $PSScriptRoot -ChildPath 'Invoke-WinNode.ps1'
    & $run -Command Suspend-Node -Call $call -AsJson:$AsJson -WhatIf:$WhatIfPreference
    $exitCode = $LASTEXITCODE
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
