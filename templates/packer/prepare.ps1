# Creates the folder of the bundle before it is filled: in C:\ every user may add files to folders of others.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$null = New-Item -ItemType Directory -Path 'C:\win-node' -Force
$list = Get-Acl -LiteralPath 'C:\win-node'
# Administrators own it, only they and SYSTEM have access, and nothing is inherited.
$list.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
Set-Acl -LiteralPath 'C:\win-node' -AclObject $list
exit 0
