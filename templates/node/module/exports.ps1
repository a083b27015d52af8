# What a script may call.

Export-ModuleMember -Function @(
    'Install-Node', 'Join-Node', 'Test-Node', 'Reset-Node', 'Export-NodeReport', 'ConvertTo-NodeJson'
)
