<#
    .SYNOPSIS
        Collects what a diagnosis needs into one JSON file and one zip, without secrets.

    .DESCRIPTION
        Changes nothing but the report itself.

    .EXAMPLE
        .\Export-WinNodeReport.ps1

        Writes the report beside the logs of winnode.
#>
[CmdletBinding()]
param(
    # Folder that holds node.json and WinNode.psm1.
    [Parameter()]
    [ValidateNotNullOrEmpty()]
    [string]
    $Path = $PSScriptRoot,

    # Folder for the report; the log folder where none is given.
    [Parameter()]
    [AllowEmptyString()]
    [string]
    $Destination = '',

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
    $result = Export-NodeReport -Path $Path -Destination $Destination
    if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    $exitCode = $result['exitCode']
} catch {
    [Console]::Error.WriteLine(($_ | Out-String))
}
exit $exitCode
