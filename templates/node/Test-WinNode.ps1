#Requires -Version 5.1
<#
    .SYNOPSIS
        Tests whether this machine matches node.json, and whether a node that has joined is healthy.

    .DESCRIPTION
        Tests every step and changes nothing. On a node that has joined, it also tests the steps of the join
        and of each boot, and runs health checks: each has a verdict, evidence, and a remedy.

        Exit codes: 0 nothing differs and the node is healthy, 4 something differs, 6 something could not be
        read, 7 nothing differs but the node is unhealthy, 1 failed, 2 a check failed.

    .EXAMPLE
        .\Test-WinNode.ps1 -AsJson > snapshot.json

        Writes a snapshot that `winnode drift` reads.

    .EXAMPLE
        .\Test-WinNode.ps1 -Wait -TimeoutMinutes 15

        Returns 0 as soon as the node is healthy, for a pipeline.
#>
[CmdletBinding()]
param(
    # Folder with node.json and its files; by default the folder of this script.
    [Parameter()]
    [string]
    $Path = '',

    # Tests the steps of this phase only.
    [Parameter()]
    [ValidateSet('', 'image', 'beforeJoin', 'join', 'afterJoin', 'boot')]
    [string]
    $Phase = '',

    # Repeats the test until nothing differs and the node is healthy, or until -TimeoutMinutes are over.
    [Parameter()]
    [switch]
    $Wait,

    # Minutes for -Wait.
    [Parameter()]
    [ValidateRange(1, 1440)]
    [int]
    $TimeoutMinutes = 10,

    # Also reports traces that must not be in an image: credentials, a pod network, the machine's name in a file.
    [Parameter()]
    [switch]
    $Image,

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
    $call = @{
        Path = $Path; Phase = $Phase; Wait = $Wait; TimeoutMinutes = $TimeoutMinutes; Image = $Image
    }
    $run = Join-Path -Path $PSScriptRoot -ChildPath 'Invoke-WinNode.ps1'
    & $run -Command Test-Node -Call $call -AsJson:$AsJson
    $exitCode = $LASTEXITCODE
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
