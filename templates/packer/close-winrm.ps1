# Ends the build of an image from media: stops the machine, and removes Packer's access.
# https://developer.hashicorp.com/packer/integrations/hashicorp/vsphere/latest/components/builder/vsphere-iso
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
# First: Packer waits for this command, and does not see what follows.
$null = shutdown.exe /s /t 30
Remove-NetFirewallRule -Name 'packer-winrm'
Set-Item -LiteralPath 'WSMan:\localhost\Service\Auth\Basic' -Value $false -Force
Remove-WSManInstance -ResourceURI 'winrm/config/Listener' -SelectorSet @{ Address = '*'; Transport = 'HTTPS' }
foreach ($certificate in @(Get-ChildItem -LiteralPath 'Cert:\LocalMachine\My')) {
    if ($certificate.Subject -cne 'CN=packer') { continue }
    # Its key would be the same on each machine from the image.
    Remove-Item -LiteralPath "Cert:\LocalMachine\My\$($certificate.Thumbprint)" -DeleteKey
}
exit 0
