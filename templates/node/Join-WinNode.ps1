#Requires -Version 5.1
<#
    .SYNOPSIS
        Joins this machine to its cluster.

    .DESCRIPTION
        Stops before any change if the image differs from node.json, a file is missing, or there is no bootstrap
        token. The token comes from -Token, -TokenFile, the environment variable WINNODE_TOKEN, or the file that
        node.json names, in this order. It is never written to a log, a result or a command line.

        Waits up to -TimeoutMinutes for servers that do not answer yet. The join has succeeded when the Node is
        Ready, read with the node's own credentials.

        If another program runs kubeadm, such as Cluster API, -Phase beforeJoin runs the steps before it and
        needs no token, and -Phase afterJoin runs the steps after it.

        Exit codes: 0 done, 1 failed, 2 a check failed (nothing was changed), 3010 restart and rerun.

    .EXAMPLE
        .\Join-WinNode.ps1 -TokenFile C:\for-the-nodes\token

        Joins with the token in that file.

    .EXAMPLE
        .\Join-WinNode.ps1 -Phase beforeJoin

        Prepares the machine for a kubeadm that another program runs; -Phase afterJoin follows it.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder with node.json and its files; by default the folder of this script.
    [Parameter()]
    [string]
    $Path = '',

    # File on this machine with the bootstrap token.
    [Parameter()]
    [string]
    $TokenFile = '',

    # Bootstrap token. Other programs can read command lines: a file is better.
    [Parameter()]
    [string]
    $Token = $env:WINNODE_TOKEN,

    # The part before or after a kubeadm that another program runs; by default the whole join.
    [Parameter()]
    [ValidateSet('', 'beforeJoin', 'afterJoin')]
    [string]
    $Phase = '',

    # Names of differences between cluster and bundle to ignore, as printed by the failed check: dns, version.
    [Parameter()]
    [string[]]
    $Accept = @(),

    # Expected nodeDigest of the bundle's node.json: stops if it differs. Pipelines set it, so that a machine
    # from an older image does not join.
    [Parameter()]
    [string]
    $BundleDigest = '',

    # Minutes until the cluster must have answered, and the Node must be Ready.
    [Parameter()]
    [ValidateRange(1, 1440)]
    [int]
    $TimeoutMinutes = 10,

    # Exit code that asks the caller for a restart: 3010 for Packer, 1003 for cloudbase-init.
    [Parameter()]
    [int]
    $RestartExitCode = 3010,

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
    if ($PSBoundParameters.ContainsKey('Token')) { $TokenFile = '' } elseif ($TokenFile -ne '') { $Token = '' }
    $call = @{
        Path = $Path; TokenFile = $TokenFile; Phase = $Phase; TimeoutMinutes = $TimeoutMinutes
        Secret = @{ Token = $Token }
        # powershell.exe -File passes a list as one string.
        Accept = @($Accept | ForEach-Object -Process { $_.Split(',') })
        BundleDigest = $BundleDigest; RestartExitCode = $RestartExitCode
    }
    $run = Join-Path -Path $PSScriptRoot -ChildPath 'Invoke-WinNode.ps1'
    & $run -Command Join-Node -Call $call -AsJson:$AsJson -WhatIf:$WhatIfPreference
    $exitCode = $LASTEXITCODE
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
