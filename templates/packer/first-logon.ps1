# Ends the installation of Windows from media: VMware Tools first, which bring the network, then WinRM for Packer.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

# One logon was asked for, and Windows counts one more:
# https://learn.microsoft.com/windows-hardware/customize/desktop/unattend/ (Windows-Shell-Setup, LogonCount)
$key = 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Winlogon'
$null = New-ItemProperty -LiteralPath $key -Name 'AutoLogonCount' -PropertyType DWord -Value 0 -Force

# Its media is one of the drives; which, the controller decides.
foreach ($letter in 'D', 'E', 'F', 'G', 'H') {
    $setup = "${letter}:\setup64.exe"
    if (-not (Test-Path -LiteralPath $setup)) { continue }
    # Its own setup is a program with windows, for which PowerShell would not wait.
    $tools = Start-Process -FilePath $setup -ArgumentList '/S', '/v', '"/qn REBOOT=R"' -Wait -PassThru
    if ($tools.ExitCode -notin 0, 3010) { throw "the setup of VMware Tools ended with $($tools.ExitCode)" }
}
& 'A:\winrm.ps1'
exit $LASTEXITCODE
