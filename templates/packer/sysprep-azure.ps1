# Takes the identity of the machine away, as Azure wants it; Packer then stops the machine and keeps its disk.
# https://developer.hashicorp.com/packer/integrations/hashicorp/azure/latest/components/builder/arm (Deprovision)
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

# The agents take part in it, and must have started.
$agents = 'RdAgent', 'WindowsAzureGuestAgent'
foreach ($agent in @(Get-Service -Name $agents -ErrorAction SilentlyContinue)) {
    $agent.WaitForStatus('Running', [TimeSpan]::FromMinutes(10))
}

$answers = "$env:SystemRoot\System32\Sysprep\unattend.xml"
if (Test-Path -LiteralPath $answers) { Remove-Item -LiteralPath $answers -Force }
& "$env:SystemRoot\System32\Sysprep\Sysprep.exe" /oobe /generalize /quiet /quit /mode:vm

$key = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Setup\State'
for ($left = 180; $left -gt 0; $left--) {
    $state = (Get-ItemProperty -LiteralPath $key).ImageState
    if ($state -ceq 'IMAGE_STATE_GENERALIZE_RESEAL_TO_OOBE') { exit 0 }
    Start-Sleep -Seconds 5
}
Write-Error -Message "sysprep has not ended in fifteen minutes: $state" -ErrorAction Continue
exit 1
