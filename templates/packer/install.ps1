# Installs the bundle until a restart is required: exit code 3010 makes Packer restart the machine.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
& 'C:\win-node\Install-WinNode.ps1'
exit $LASTEXITCODE
