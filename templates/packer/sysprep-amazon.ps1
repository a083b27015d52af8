# Generalizes the machine with Amazon's EC2Launch; Packer then stops it and keeps its disk.
# https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-create-win-sysprep.html
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$agent = 'C:\Program Files\Amazon\EC2Launch\EC2Launch.exe'
if (-not (Test-Path -LiteralPath $agent)) {
    Write-Error -Message 'this AMI has no EC2Launch v2; install it first' -ErrorAction Continue
    exit 1
}
foreach ($command in 'reset', 'sysprep') {
    & $agent $command --block
    if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
}
exit 0
