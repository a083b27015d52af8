# Functions that the scripts may call.

Export-ModuleMember -Function @(
    'Install-Node', 'Join-Node', 'Test-Node', 'Suspend-Node', 'Reset-Node', 'ConvertTo-NodeJson'
)
