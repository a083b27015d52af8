#Requires -Version 5.1
<#
    .SYNOPSIS
        Writes a node report for diagnosis: one JSON file and one zip.

    .DESCRIPTION
        Versions, services, networks, firewall, events, logs, configuration, and the result of every test. The
        module lists what is collected: never kubeconfigs or keys. Values that look like secrets are replaced by
        <hidden>. What could not be read is listed in the report, under unread, and printed at the end.

        With -Trace N, first records events of HNS and the virtual switch for N seconds, to winnode-report.etl in
        the log folder of node.json. Secrets are not removed from this file.

        Exit codes: 0 done, 1 failed, 2 refused.

    .EXAMPLE
        .\Export-WinNodeReport.ps1 -Destination C:\temp

        Writes C:\temp\winnode-report.json and C:\temp\winnode-report.zip.

    .EXAMPLE
        .\Export-WinNodeReport.ps1 -Trace 60

        First records events of HNS and VFP for a minute. Reproduce the problem in this minute.
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

    # Seconds to record events of HNS and VFP for, at most 600.
    [Parameter()]
    [ValidateRange(0, 600)]
    [int]
    $Trace = 0,

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
    $call = @{ Path = $Path; Destination = $Destination; Trace = $Trace }
    $run = Join-Path -Path $PSScriptRoot -ChildPath 'Invoke-WinNode.ps1'
    & $run -Command Export-NodeReport -Call $call -AsJson:$AsJson
    $exitCode = $LASTEXITCODE
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
