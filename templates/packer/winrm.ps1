# Enables WinRM for Packer, with TLS and a certificate of this machine.
# https://developer.hashicorp.com/packer/docs/communicators/winrm
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$certificate = New-SelfSignedCertificate -CertStoreLocation 'Cert:\LocalMachine\My' -DnsName 'packer'
$listener = @{ Path = 'WSMan:\localhost\Listener'; Transport = 'HTTPS'; Address = '*'; Force = $true }
$null = New-Item @listener -CertificateThumbPrint $certificate.Thumbprint
Set-Item -LiteralPath 'WSMan:\localhost\Service\Auth\Basic' -Value $true -Force
$rule = @{ Name = 'packer-winrm'; DisplayName = 'WinRM for Packer'; Protocol = 'TCP'; LocalPort = 5986 }
$null = New-NetFirewallRule @rule -Action Allow
exit 0
