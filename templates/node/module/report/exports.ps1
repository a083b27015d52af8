# Functions that the scripts may call.

Export-ModuleMember -Function 'Export-NodeReport', 'ConvertTo-NodeJson'
