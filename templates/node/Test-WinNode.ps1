#Requires -Version 5.1
<#
    .SYNOPSIS
        Says whether this machine still is what node.json describes, and whether a member works.

    .DESCRIPTION
        Tests every step and changes nothing. Once the machine has joined, the steps of its join and of
        each start belong to it, and checks say whether it works: each with a verdict, evidence, and what to do.

        Exit codes: 0 nothing differs and a member works, 4 something differs, 6 something could not be read,
        7 nothing differs and the member does not work, 1 failed, 2 refused.

    .EXAMPLE
        .\Test-WinNode.ps1 -AsJson > snapshot.json

        Writes a snapshot that `winnode drift` reads.

    .EXAMPLE
        .\Test-WinNode.ps1 -Wait -TimeoutMinutes 15

        Ends with 0 as soon as the node works, for a pipeline.
#>
[CmdletBinding()]
param(
    # Folder that holds node.json and the files it names; this script's own where none is given.
    [Parameter()]
    [string]
    $Path = '',

    # Tests the steps of this phase alone.
    [Parameter()]
    [ValidateSet('', 'image', 'beforeJoin', 'join', 'afterJoin', 'boot')]
    [string]
    $Phase = '',

    # Asks again until nothing differs and a member works, or until -TimeoutMinutes are over.
    [Parameter()]
    [switch]
    $Wait,

    # Minutes for -Wait.
    [Parameter()]
    [ValidateRange(1, 1440)]
    [int]
    $TimeoutMinutes = 10,

    # Also says what of this machine an image of it would hold: credentials, a pod network, its name in a file.
    [Parameter()]
    [switch]
    $Image,

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
            apiVersion = 'winnode/v1'; kind = 'NodeSnapshot'; name = ''; exitCode = 2; restart = $false
            message = $refusal -join '; '; steps = @(); preflight = @(); health = @()
        }
        if ($AsJson) { ConvertTo-Json -InputObject $result -Depth 4 } else {
            Write-Error -Message $result.message -ErrorAction Continue
        }
    } else {
        Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'WinNode.psm1') -Force
        $talk = if ($AsJson) { 'SilentlyContinue' } else { 'Continue' }
        $call = @{
            Path = $Path; Phase = $Phase; Wait = $Wait; TimeoutMinutes = $TimeoutMinutes; Image = $Image
            InformationAction = $talk
        }
        # powershell.exe prints warnings to standard output, among the JSON: "Waiting for service...".
        $result = Test-Node @call 3>$null
        if ($AsJson) { ConvertTo-NodeJson -InputObject $result }
    }
    $exitCode = $result.exitCode
} catch {
    $problem = $_
    Write-Error -Message ($problem | Out-String) -ErrorAction Continue
}
exit $exitCode
