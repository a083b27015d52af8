# Tests whether the machine matches the bundle, and has no trace of this machine that must not be in an image.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$text = & 'C:\win-node\Test-WinNode.ps1' -Phase image -Image -AsJson
$code = $LASTEXITCODE
# Set-Content of Windows PowerShell writes the machine's code page by default; the text is ASCII.
Set-Content -LiteralPath 'C:\Windows\Temp\winnode-image.json' -Value $text -Encoding Ascii
$text
exit $code
