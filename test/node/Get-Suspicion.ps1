# Says as JSON which script blocks of files PowerShell itself calls suspicious, and why: its check is internal.
[CmdletBinding()]
param([Parameter(Mandatory = $true)] [string] $Folder)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$check = [scriptblock].GetMethod('CheckSuspiciousContent', [System.Reflection.BindingFlags]'Static, NonPublic')
$isBlock = { param($Node) $Node -is [System.Management.Automation.Language.ScriptBlockAst] }
$found = @(foreach ($file in Get-ChildItem -LiteralPath $Folder -File) {
        $ast = [System.Management.Automation.Language.Parser]::ParseFile($file.FullName, [ref]$null, [ref]$null)
        foreach ($block in @($ast.FindAll($isBlock, $true))) {
            $why = $check.Invoke($null, @($block))
            if ($why) { "$($file.Name):$($block.Extent.StartLineNumber): $("$why".Split("`n")[0])" }
        }
    })
ConvertTo-Json -InputObject $found -Compress
