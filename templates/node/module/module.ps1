# What a machine must be like to be a node of Kubernetes, tested and set.
<#
    .SYNOPSIS
        Brings a Windows Server machine to the state that node.json describes, and says whether it still is.

    .DESCRIPTION
        Each step of node.json has a kind, and each kind a pair of functions: Test- answers yes or no and
        changes nothing, Set- changes. Backup- notes what was there before the first change, Restore- puts it
        back. One walker does every step: test; where it differs, set; test again; else fail.

        The order of this file: tables, JSON, the host, the run, node facts, downloads, services, step kinds,
        preflight checks, the walker, the report, and the five commands.
#>
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
