# Installs the bundle, up to where the machine has to restart: 3010 asks Packer for it.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
& 'C:\win-node\Install-WinNode.ps1'
exit $LASTEXITCODE
