# Ends the build of an image from media: stops the machine, and takes away by what Packer was let in.
# https://developer.hashicorp.com/packer/integrations/hashicorp/vsphere/latest/components/builder/vsphere-iso
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
# First: Packer waits for it, and sees nothing of what follows.
$null = shutdown.exe /s /t 30
Remove-NetFirewallRule -Name 'packer-winrm'
Set-Item -LiteralPath 'WSMan:\localhost\Service\Auth\Basic' -Value $false -Force
Remove-WSManInstance -ResourceURI 'winrm/config/Listener' -SelectorSet @{ Address = '*'; Transport = 'HTTPS' }
# Its key would be the same on each machine of the image.
Get-ChildItem -LiteralPath 'Cert:\LocalMachine\My' | Where-Object -FilterScript {
    $_.Subject -eq 'CN=packer'
} | Remove-Item -DeleteKey
exit 0
