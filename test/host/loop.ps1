# Reads one JSON object a line, runs its script over the simulated machine, and writes one JSON object a line.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
Microsoft.PowerShell.Core\Import-Module -Name "$PSScriptRoot/host.psm1" -Global -DisableNameChecking
. "$PSScriptRoot/run.ps1"

for ($line = [Console]::In.ReadLine(); $null -ne $line; $line = [Console]::In.ReadLine()) {
    $call = ConvertFrom-Json -InputObject $line -AsHashtable
    try {
        $with = $call['with']
        # A job's output is its answer; nothing else may get between the lines.
        $value = @(. ([scriptblock]::Create($call['script'])) 4>$null 6>$null)
        $answer = @{ ok = $true; value = $value }
        if ($value.Count -eq 1) { $answer['value'] = $value[0] }
    } catch {
        $answer = @{ ok = $false; error = "$_ $($_.ScriptStackTrace)" }
    }
    [Console]::Out.WriteLine('answer ' + (ConvertTo-Json -InputObject $answer -Depth 12 -Compress -EscapeHandling EscapeNonAscii))
}
