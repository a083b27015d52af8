# Checks whether a node that has joined is unchanged and healthy, and changes nothing.
<#
    .SYNOPSIS
        The part of winnode that runs every few minutes on a healthy node.

    .DESCRIPTION
        The command of this file compares the machine with what the last complete run recorded in state.json, runs
        the health checks that ask no other machine, and asks the API server whether the Node is Ready. If it
        returns nothing, Install-WinNode.ps1 imports WinNode.psm1, which finds the difference and repairs it.

        This file starts no service, and writes no file, no registry value and no event. It starts kubectl.exe to
        read the Node, crictl.exe to list pods, and netsh.exe to list ports. PowerShell does not log it as
        suspicious.

        The order of this file: tables, JSON, the host, the run, node facts, services, health checks, the command.
#>
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
