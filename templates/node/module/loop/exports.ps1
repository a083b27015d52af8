# Functions that the scripts may call.

Export-ModuleMember -Function 'Watch-Node', 'ConvertTo-NodeJson'
