# externalNetwork: an HNS network without pods, which exists before the network plugin starts.

# For its first network, HNS puts a virtual switch on the adapter, and the machine has no network for a moment.
# https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/helper.v2.psm1
$script:StepKind['externalNetwork'] = @{ Noun = 'NodeExternalNetwork'; Subject = 'name'; Reset = 'restore' }

function Test-NodeExternalNetwork {
    # True if the network exists and has the right type. Nothing uses its subnet and its address.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    $type = if ($null -eq $network) { 'missing' } else { "$($network.Type)" }
    if ($type -ne $Step['type']) { Write-NodeDetail -Text "the network is $type, expected $($Step['type'])" }
    $type -eq $Step['type']
}

function Set-NodeExternalNetwork {
    # Creates the network; true if HNS needs a restart of the machine first.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not $PSCmdlet.ShouldProcess($name, 'create network')) { return $false }
    if (-not (Test-NodeHnsPresent)) { return $true }
    if ($null -ne (Get-NodeHnsNetwork -Name $name)) {
        throw "another program created a network named $name with another type: remove it, or network.external"
    }
    $subnet = [ordered]@{ AddressPrefix = $Step['subnet']; GatewayAddress = $Step['gateway'] }
    if ($null -ne $Step['vsid']) { $subnet['Policies'] = @([ordered]@{ Type = 'VSID'; VSID = $Step['vsid'] }) }
    Add-NodeHnsNetwork -Module $Step['module'] -Name $name -Type $Step['type'] -Subnet $subnet
    $false
}

function Backup-NodeExternalNetwork {
    # Whether a network of this name exists.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $null -ne (Get-NodeHnsNetwork -Name $Step['name'])
}

function Restore-NodeExternalNetwork {
    # Removes the network, unless another program created it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($Before -or -not $PSCmdlet.ShouldProcess($Step['name'], 'remove network')) { return }
    Restore-NodeHnsNetwork -Step $Step
}
