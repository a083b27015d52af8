# pluginNetwork: the HNS network that the plugin's DaemonSet creates, and the address that it reserves there.

$script:StepKind['pluginNetwork'] = @{ Noun = 'NodePluginNetwork'; Subject = 'network'; Reset = 'always' }

function Test-NodePluginNetwork {
    # True: the DaemonSet creates and repairs the network.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $null = $Step
    $true
}

function Set-NodePluginNetwork {
    # Changes nothing: the network appears after the join.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $null = $PSCmdlet.ShouldProcess($Step['network'], 'leave to the network plugin')
}

function Restore-NodePluginNetwork {
    # Removes the network, and releases the address. The pods that created them are removed before.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'remove network')) { return }
    Clear-NodeReservation -Step $Step
    Restore-NodeHnsNetwork -Step @{ name = $Step['network'] }
}
