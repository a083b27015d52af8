# Networks of the Host Networking Service (HNS).

function Test-NodeHnsPresent {
    # Whether the commands of HNS exist: not before the feature Containers is active.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $null -ne (Get-Command -Name 'Get-HnsNetwork' -ErrorAction SilentlyContinue)
}

# The commands that list what HNS has.
$script:HnsList = @{
    Network    = { Get-HnsNetwork -ErrorAction Stop }
    Endpoint   = { Get-HnsEndpoint -ErrorAction Stop }
    PolicyList = { Get-HnsPolicyList -ErrorAction Stop }
}

function Invoke-NodeHnsCommand {
    # Runs commands of HNS. HNS may hang until its service is restarted: after one call without an answer, no other
    # call of the run waits for it.
    # https://github.com/moby/moby/issues/40699
    # https://github.com/kubernetes-sigs/image-builder/pull/566
    [CmdletBinding()]
    [OutputType([object])]
    param(
        # Cannot use this module's functions or variables.
        [Parameter(Mandatory = $true)] [scriptblock] $Script,
        [Parameter()] [object[]] $ArgumentList = @()
    )

    $seconds = $script:Limit.HnsSeconds
    try {
        if (-not $script:Run.HnsHangs) {
            return Invoke-NodeWithTimeout -Script $Script -ArgumentList $ArgumentList -Seconds $seconds
        }
    } catch [System.TimeoutException] {
        $script:Run.HnsHangs = $true
    }
    $text = "HNS: no answer within $seconds s; restart the service hns, or the machine"
    throw (New-Object -TypeName System.TimeoutException -ArgumentList $text)
}

function Get-NodeHnsObject {
    # All networks, endpoints or policy lists (load balancers) of HNS. Its commands return $null if there are none.
    # https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/hns.psm1
    # https://github.com/kubernetes/kubernetes/issues/85704
    # There may be thousands, because kube-proxy adds an endpoint for each pod behind a Service: callers select the
    # fields that they need at once, and call no function for each object.
    [CmdletBinding()]
    [OutputType([object[]])]
    param([Parameter(Mandatory = $true)] [ValidateSet('Network', 'Endpoint', 'PolicyList')] [string] $Kind)

    $kept = $script:Run.Hns
    if ($null -ne $kept -and $kept.ContainsKey($Kind)) { return $kept[$Kind] }
    $all = @(Invoke-NodeHnsCommand -Script $script:HnsList[$Kind])
    $found = @(foreach ($one in $all) { if ($null -ne $one) { $one } })
    if ($null -ne $kept) { $kept[$Kind] = $found }
    $found
}

function Get-NodeHnsNetwork {
    # An HNS network by name, or nothing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (-not (Test-NodeHnsPresent)) { return }
    foreach ($network in @(Get-NodeHnsObject -Kind Network)) {
        if ((Get-NodeHnsField -InputObject $network -Name 'Name') -ceq $Name) { return $network }
    }
}

function Get-NodeHnsProcess {
    # The process of the service hns, with its start; or an empty string. After a crash it is another one, and HNS
    # has lost an unknown part of what daemons created in it.
    # https://github.com/kubernetes/kubernetes/issues/110849
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $service = Get-CimInstance -ClassName Win32_Service -Filter "Name='hns'" -ErrorAction SilentlyContinue
    if ($null -eq $service -or $service.ProcessId -eq 0) { return '' }
    $process = Get-Process -Id $service.ProcessId -ErrorAction SilentlyContinue
    if ($null -eq $process) { return '' }
    '{0} {1}' -f $service.ProcessId, $process.StartTime.ToUniversalTime().ToString('s')
}

function Get-NodeHnsField {
    # A field of an HNS object, or nothing: HNS leaves out empty ones.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [object] $InputObject,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $InputObject | Select-Object -ExpandProperty $Name -ErrorAction SilentlyContinue
}

function Get-NodeHnsEndpoint {
    # The endpoints in an HNS network, or the ones with a value of a field.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)] [object] $Network,
        [Parameter()] [ValidateSet('', 'Name', 'IPAddress')] [string] $Field = '',
        [Parameter()] [string] $Value = ''
    )

    $all = @(Get-NodeHnsObject -Kind Endpoint)
    # With null for what HNS left out.
    $fields = @($all | Select-Object -Property 'VirtualNetwork', 'Name', 'IPAddress')
    for ($index = 0; $index -lt $all.Count; $index++) {
        if ("$($fields[$index].VirtualNetwork)" -ne "$($Network.ID)") { continue }
        $found = if ($Field -eq 'Name') { $fields[$index].Name } else { $fields[$index].IPAddress }
        if ($Field -eq '' -or "$found" -ceq $Value) { $all[$index] }
    }
}

function Get-NodeLoadBalancer {
    # The load balancers of Service IPs, each with the addresses of its endpoints. HNS refers to endpoints as
    # /endpoints/ID. https://github.com/microsoft/hcsshim/blob/main/internal/hns/hnspolicylist.go
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param()

    $addresses = @{}
    foreach ($endpoint in @(Get-NodeHnsObject -Kind Endpoint | Select-Object -Property 'ID', 'IPAddress')) {
        $addresses["$($endpoint.ID)"] = "$($endpoint.IPAddress)"
    }
    foreach ($list in @(Get-NodeHnsObject -Kind PolicyList | Select-Object -Property 'References', 'Policies')) {
        $behind = @(foreach ($reference in $list.References) {
                $id = "$reference" -replace '^/endpoints/'
                if ($addresses.ContainsKey($id)) { $addresses[$id] } else { "endpoint $id" }
            })
        foreach ($policy in @($list.Policies | Select-Object -Property 'VIPs', 'ExternalPort', 'Protocol')) {
            foreach ($vip in $policy.VIPs) {
                @{
                    Vip      = "$vip"
                    Port     = [int]$policy.ExternalPort
                    Protocol = [int]$policy.Protocol
                    Behind   = $behind
                }
            }
        }
    }
}

function Get-NodeNetworkAddress {
    # The management address of a network, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [object] $Network)

    "$(Get-NodeHnsField -InputObject $Network -Name 'ManagementIP')"
}

function Test-NodeOvsExtension {
    # Whether Open vSwitch's extension of the switch of an HNS network is enabled.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [object] $Network)

    foreach ($extension in @(Get-NodeHnsField -InputObject $Network -Name 'Extensions')) {
        if ("$($extension.Name)" -cne 'Open vSwitch Extension') { continue }
        return [bool]$extension.IsEnabled
    }
    $false
}
