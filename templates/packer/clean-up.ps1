# Deletes files of the build: its result, which Packer has downloaded, and logs of this machine.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$paths = 'C:\Windows\Temp\winnode-image.json', 'C:\var\log\winnode\winnode.log'
foreach ($path in $paths) {
    if (Test-Path -LiteralPath $path) { Remove-Item -LiteralPath $path -Force }
}
exit 0
