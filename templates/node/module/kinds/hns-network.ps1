# hnsNetwork: the network that the plugin makes.

$script:StepKind['hnsNetwork'] = @{ Noun = 'NodeHnsNetwork'; Subject = 'name'; Reset = 'always' }

function Test-NodeHnsNetwork {
    # True when the network is there, of the right type.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -eq $network) {
        Write-NodeDetail -Text "there is no HNS network $($Step['name'])"
        return $false
    }
    $same = "$($network.Type)" -eq $Step['type']
    if (-not $same) { Write-NodeDetail -Text "the network is $($network.Type), wanted $($Step['type'])" }
    $same
}

function Set-NodeHnsNetwork {
    # Waits for the network plugin to make it; true when only a restart brings the networking service.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'wait for network')) { return $false }
    if ($null -eq (Get-Command -Name 'Get-HnsNetwork' -ErrorAction SilentlyContinue)) {
        Write-NodeDetail -Text 'the feature Containers is not active yet'
        return $true
    }
    $found = Wait-NodeCondition -Seconds $Step['timeout'] -Condition {
        $null -ne (Get-NodeHnsNetwork -Name $Step['name'])
    }
    if (-not $found) { throw "the HNS network $($Step['name']) did not appear in $($Step['timeout']) s" }
    $false
}

function Restore-NodeHnsNetwork {
    # Takes away what hangs on the network, then the network. The services that made it have stopped by now.
    # https://github.com/microsoft/SDN/tree/master/Kubernetes/windows
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -eq $network -or -not $PSCmdlet.ShouldProcess($Step['name'], 'remove network')) { return $false }
    # Load balancers are kube-proxy's alone.
    Get-HnsPolicyList | Remove-HnsPolicyList
    Get-HnsEndpoint | Where-Object -FilterScript { $_.VirtualNetwork -eq $network.ID } | Remove-HnsEndpoint
    $network | Remove-HnsNetwork
    Write-NodeDetail -Text 'the network is gone'
    $false
}
