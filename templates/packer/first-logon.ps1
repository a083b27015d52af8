# Completes an installation from media: VMware Tools, where their media is attached, then WinRM for Packer.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

# One automatic logon is configured, but Windows allows one more:
# https://learn.microsoft.com/windows-hardware/customize/desktop/unattend/ (Windows-Shell-Setup, LogonCount)
$key = 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Winlogon'
$null = New-ItemProperty -LiteralPath $key -Name 'AutoLogonCount' -PropertyType DWord -Value 0 -Force

# The drive letter of the VMware Tools media depends on the controller.
foreach ($letter in 'D', 'E', 'F', 'G', 'H') {
    $setup = "${letter}:\setup64.exe"
    if (-not (Test-Path -LiteralPath $setup)) { continue }
    # The setup is a GUI program, for which PowerShell does not wait by default.
    $tools = Start-Process -FilePath $setup -ArgumentList '/S', '/v', '"/qn REBOOT=R"' -Wait -PassThru
    if ($tools.ExitCode -notin 0, 3010) { throw "the setup of VMware Tools failed: exit code $($tools.ExitCode)" }
}
& "$PSScriptRoot\winrm.ps1"
exit $LASTEXITCODE
