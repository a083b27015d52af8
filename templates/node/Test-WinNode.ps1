<#
    .SYNOPSIS
        Says whether this machine still is what node.json describes.

    .DESCRIPTION
        Changes nothing. Exit code 0 where nothing differs, 4 where something does, 6 where something
        could not be read.

    .EXAMPLE
        .\Test-WinNode.ps1 -AsJson

        Prints the state of every step as JSON.
#>
[CmdletBinding()]
param(
    # Folder that holds node.json and WinNode.psm1.
    [Parameter()]
    [ValidateNotNullOrEmpty()]
    [string]
    $Path = $PSScriptRoot,

    # One phase only; without it all that apply.
    [Parameter()]
    [ValidateSet('', 'image', 'join', 'boot')]
    [string]
    $Phase = '',

    # Prints the result as one JSON object.
    [Parameter()]
    [switch]
    $AsJson
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$exitCode = 1
try {
    Import-Module -Name (Join-Path -Path $Path -ChildPath 'WinNode.psm1') -Force
    $result = Test-Node -Path $Path -Phase $Phase
    if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    $exitCode = $result['exitCode']
} catch {
    [Console]::Error.WriteLine(($_ | Out-String))
}
exit $exitCode
