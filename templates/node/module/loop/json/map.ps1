# Reads the name-value lists of node.json.

function ConvertTo-NodeMap {
    # A dictionary from a list of {name, value}; node.json has no maps with free keys.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyCollection()] [object[]] $Pair)

    $map = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    foreach ($item in $Pair) { if ($null -ne $item) { $map[[string]$item['name']] = $item['value'] } }
    $map
}
