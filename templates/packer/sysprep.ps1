# Generalizes Windows; Packer then stops the machine and keeps its disk.
# https://developer.hashicorp.com/packer/integrations/hashicorp/azure/latest/components/builder/arm (Deprovision)
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

# Azure's agents take part in it, and must have started.
$agents = 'RdAgent', 'WindowsAzureGuestAgent'
$found = @(Get-Service -Name $agents -ErrorAction SilentlyContinue)
foreach ($agent in $found) {
    $agent.WaitForStatus('Running', [TimeSpan]::FromMinutes(10))
}
if ($found.Count -gt 0) {
    # Otherwise Sysprep leaves the built-in Administrator with a password to change, and the first start of some
    # machines waits for it. Only on Azure: elsewhere Packer signs in with this account. Its SID ends in 500.
    # https://github.com/kubernetes-sigs/image-builder/pull/2117
    $net = "$env:SystemRoot\System32\net.exe"
    $administrator = Get-CimInstance -ClassName Win32_UserAccount -Filter "LocalAccount=TRUE and SID like '%-500'"
    foreach ($call in @(('accounts', '/maxpwage:unlimited'), ('user', $administrator.Name, '/active:no'))) {
        & $net $call
        if ($LASTEXITCODE -ne 0) { exit 1 }
    }
}

# Windows keeps copies of the answer file, and would use them again on each machine from the image.
# https://learn.microsoft.com/windows-hardware/manufacture/desktop/use-answer-files-with-sysprep
$answers = "$env:SystemRoot\System32\Sysprep\unattend.xml"
$kept = "$env:SystemRoot\Panther\unattend.xml", "$env:SystemRoot\Panther\Unattend\unattend.xml"
foreach ($path in @($answers) + $kept) {
    if (Test-Path -LiteralPath $path) { Remove-Item -LiteralPath $path -Force }
}
$flags = '/oobe', '/generalize', '/quiet', '/quit', '/mode:vm'
# With its answer file, cloudbase-init renames the machine before it starts; without one, Windows asks at its first
# boot.
# https://github.com/kubernetes-sigs/image-builder/blob/main/images/capi/packer/azure/scripts/sysprep.ps1
$cloudbase = "$env:ProgramFiles\Cloudbase Solutions\Cloudbase-Init\conf\Unattend.xml"
if (Test-Path -LiteralPath $cloudbase) {
    # A path without a blank, which would need quotes.
    Copy-Item -LiteralPath $cloudbase -Destination $answers -Force
    $flags += "/unattend:$answers"
}
& "$env:SystemRoot\System32\Sysprep\Sysprep.exe" $flags

$key = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Setup\State'
for ($left = 180; $left -gt 0; $left--) {
    $state = (Get-ItemProperty -LiteralPath $key).ImageState
    if ($state -ceq 'IMAGE_STATE_GENERALIZE_RESEAL_TO_OOBE') { exit 0 }
    Start-Sleep -Seconds 5
}
Write-Error -Message "sysprep did not finish within fifteen minutes: $state" -ErrorAction Continue
exit 1
