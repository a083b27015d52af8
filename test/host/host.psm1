# A Windows Server that exists as data: stand-ins for what Windows alone has, seen by every script here.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'

# Kept from one process to the next, as compiling takes longer than all the rest.
$source = "$PSScriptRoot/host.cs", "$PSScriptRoot/access.cs", "$PSScriptRoot/api.cs", "$PSScriptRoot/api-store.cs", "$PSScriptRoot/authorizer.cs"
$library = Join-Path -Path ([System.IO.Path]::GetTempPath()) -ChildPath (
    'winnode-host-{0}-{1}.dll' -f $PSVersionTable.PSVersion, (@(Get-FileHash -LiteralPath $source).Hash.Substring(0, 8) -join '')
)
if (-not (Test-Path -LiteralPath $library)) {
    $fresh = "$library.$PID.dll"
    Add-Type -Path $source -OutputAssembly $fresh -OutputType Library
    [System.IO.File]::Move($fresh, $library, $true)
}
Import-Module -Assembly ([System.Reflection.Assembly]::LoadFrom($library)) -Global

$parts = @(
    'switches', 'machine', 'time', 'features', 'remote-access', 'services', 'service-control', 'recovery', 'daemons', 'programs', 'go', 'log-runner', 'nssm', 'containerd', 'pods'
    'flanneld', 'flanneld-config', 'kube-proxy', 'kubelet', 'kubelet-logs', 'kubelet-renewal', 'calico', 'antrea', 'flannel-pod', 'cluster', 'cim', 'access', 'firewall', 'defender', 'tasks', 'network', 'hns-requests', 'events', 'files'
    'programs-windows', 'programs-kubernetes', 'kubectl', 'cni', 'host-local', 'host-local-store', 'kubeadm', 'kubeadm-wait', 'ports', 'disks', 'boundaries', 'days', 'scripts'
)
foreach ($part in $parts) { . "$PSScriptRoot/parts/$part.ps1" }
# For tests of the stand-ins themselves.
. "$PSScriptRoot/verdicts.ps1"
# Global functions come before cmdlets, also for the module under test.
Export-ModuleMember -Function '*' -Alias '*'
