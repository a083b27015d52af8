# Tests whether a machine has the state that a Kubernetes node needs, and sets it.
<#
    .SYNOPSIS
        Configures a Windows Server machine as node.json describes, and reports whether it still matches.

    .DESCRIPTION
        Each step of node.json has a kind, and each kind has a pair of functions: Test- checks and changes
        nothing, Set- changes. Backup- saves the previous state before the first change, Restore- restores
        it. One function runs every step: test; if it differs, set; test again; if it still differs, fail.

        The order of this file: JSON, the host, the run, node facts, downloads, services, the cluster, step kinds,
        agreement with the cluster, preflight checks, health checks, the step runner, and the commands.
#>
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
