#Requires -Version 5.1
<#
    .SYNOPSIS
        Makes this machine a node of its cluster.

    .DESCRIPTION
        Refuses, before any change, where the image is not as node.json wants it, where a file is missing, or
        where there is no bootstrap token. The token comes from -Token, from -TokenFile, from the environment
        variable WINNODE_TOKEN, or from the file that node.json names, in this order. It gets into no log, no
        result and no command line.

        What does not answer yet is waited for, until -TimeoutMinutes are over. The join has ended well when the
        cluster says that the Node is Ready, asked with the node's own credentials.

        Where somebody else runs kubeadm, as Cluster API does, -Phase beforeJoin does what comes before it and
        needs no token, and -Phase afterJoin does what comes after it.

        Exit codes: 0 done, 1 failed, 2 refused (nothing was changed), 3010 restart.

    .EXAMPLE
        .\Join-WinNode.ps1 -TokenFile C:\secrets\token

        Joins with the token in that file.

    .EXAMPLE
        .\Join-WinNode.ps1 -Phase beforeJoin

        Prepares the machine for a kubeadm that somebody else runs; -Phase afterJoin follows it.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    # Folder that holds node.json and the files it names; this script's own where none is given.
    [Parameter()]
    [string]
    $Path = '',

    # File on this machine that holds the bootstrap token.
    [Parameter()]
    [string]
    $TokenFile = '',

    # Bootstrap token. Other programs can read command lines: a file is better.
    [Parameter()]
    [string]
    $Token = $env:WINNODE_TOKEN,

    # What comes before or after a kubeadm that somebody else runs; all of it where none is given.
    [Parameter()]
    [ValidateSet('', 'beforeJoin', 'afterJoin')]
    [string]
    $Phase = '',

    # Names of differences between cluster and bundle that are taken, as the refusal says them: dns, version.
    [Parameter()]
    [string[]]
    $Accept = @(),

    # Digest of the bundle, as node.json says it: with another one nothing is done. Pipelines give it, so that a
    # machine of an older image does not join.
    [Parameter()]
    [string]
    $BundleDigest = '',

    # Minutes in which the cluster must have answered, and the Node be Ready.
    [Parameter()]
    [ValidateRange(1, 1440)]
    [int]
    $TimeoutMinutes = 10,

    # Exit code that asks the caller for a restart: 3010 for Packer, 1003 for cloudbase-init.
    [Parameter()]
    [int]
    $RestartExitCode = 3010,

    # Prints one JSON object and nothing else.
    [Parameter()]
    [switch]
    $AsJson
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$exitCode = 1
try {
    # Not as the default of the parameter, where 5.1 has no value for it yet:
    # https://github.com/PowerShell/PowerShell/issues/4688
    if ($Path -eq '') { $Path = $PSScriptRoot }
    # First and with nothing but cmdlets: under a policy of application control the module would stop halfway.
    $refusal = @(
        if ("$($ExecutionContext.SessionState.LanguageMode)" -ne 'FullLanguage') {
            'PowerShell runs in constrained language mode; a policy must allow this script'
        }
        # High or system integrity: an administrator's name is not enough. The SIDs are the same everywhere.
        if (-not (whoami.exe /groups /fo csv /nh | Select-String -Pattern 'S-1-16-(12288|16384)' -Quiet)) {
            'this is not an administrator''s PowerShell; open one with Run as administrator'
        }
    )
    if ($refusal.Count -gt 0) {
        $result = [ordered]@{
            apiVersion = 'winnode/v1'; kind = 'NodeResult'; name = ''; exitCode = 2; restart = $false
            message = $refusal -join '; '; steps = @(); preflight = @(); health = @()
        }
        if ($AsJson) { ConvertTo-Json -InputObject $result -Depth 4 } else {
            Write-Error -Message $result.message -ErrorAction Continue
        }
    } else {
        Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'WinNode.psm1') -Force
        $talk = if ($AsJson) { 'SilentlyContinue' } else { 'Continue' }
        if ($PSBoundParameters.ContainsKey('Token')) { $TokenFile = '' } elseif ($TokenFile -ne '') { $Token = '' }
        $call = @{
            Path = $Path; Token = $Token; TokenFile = $TokenFile; Phase = $Phase; TimeoutMinutes = $TimeoutMinutes
            # powershell.exe -File gives a list as one text.
            Accept = @($Accept | ForEach-Object -Process { $_.Split(',') })
            BundleDigest = $BundleDigest; RestartExitCode = $RestartExitCode; InformationAction = $talk
        }
        # powershell.exe prints warnings to standard output, among the JSON: "Waiting for service...".
        $result = Join-Node @call -WhatIf:$WhatIfPreference 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
