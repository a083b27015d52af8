# Writes a report of a node for diagnosis, without secrets.
<#
    .SYNOPSIS
        The part of winnode that only Export-WinNodeReport.ps1 runs.
#>
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
