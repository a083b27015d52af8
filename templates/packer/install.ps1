# Installs the bundle, up to where the machine has to restart: 3010 asks Packer for it.
$ErrorActionPreference = 'Stop'
& 'C:\win-node\Install-WinNode.ps1'
exit $LASTEXITCODE
