# Records the address of the node.

function Save-NodeAddress {
    # Records the address of a joined node.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $address = Get-NodeFact -Name 'nodeIP'
    if ($script:Run.State['address'] -ceq $address) { return }
    $script:Run.State['address'] = $address
    Save-NodeState
}
