# Says whether the machine is as described, and holds nothing by which one machine could be told from another.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$text = & 'C:\win-node\Test-WinNode.ps1' -Phase image -Image -AsJson
$code = $LASTEXITCODE
# Set-Content would write what Windows PowerShell takes for the machine's code page: all of it is ASCII.
Set-Content -LiteralPath 'C:\Windows\Temp\winnode-image.json' -Value $text -Encoding Ascii
$text
exit $code
