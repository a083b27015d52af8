# Checks that HNS has kube-proxy's load balancers for two Services that every cluster has.

$script:HealthKind['services'] = @{
    Function = 'Get-NodeServiceHealth'
    Event    = 106
    Remedy   = 'see kube-proxy''s log for errors of HNS; restart the service kube-proxy, or the machine'
}

# EndpointSlices change all the time, and HNS follows a moment later.
$script:HealthKind['services']['Twice'] = $true

# The two Services. kube-proxy's account may list Services, but not get one by name.
$script:ProbedService = @(
    @{
        Path = '/api/v1/namespaces/default/services?fieldSelector=metadata.name%3Dkubernetes'
        Is   = { param($Meta) $Meta['name'] -ceq 'kubernetes' }
    }
    @{
        Path = '/api/v1/namespaces/kube-system/services?labelSelector=k8s-app%3Dkube-dns'
        Is   = { param($Meta) $null -ne $Meta['labels'] -and $Meta['labels']['k8s-app'] -ceq 'kube-dns' }
    }
)

# Protocol numbers in HNS. https://www.iana.org/assignments/protocol-numbers
$script:ProtocolNumber = @{ TCP = 6; UDP = 17; SCTP = 132 }

function Get-NodeServiceHealth {
    # Whether each port of these Services has a load balancer with exactly the addresses in the EndpointSlices. A
    # Windows node cannot connect to Service IPs itself, so the load balancers are read from HNS.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $account = Get-NodeAccount -Need (Get-NodeClusterNeed) -Name 'kubeProxy' -Way (Get-NodeMembership)
    if ($account.Problem -ne '') { return ConvertTo-NodeVerdict -Verdict fail -Evidence $account.Problem }
    $lists = @(Get-NodeLoadBalancer)
    $asked = @{ Account = $account; Lists = $lists; Bad = @(); Good = @(); Open = @(); Differs = $false }
    foreach ($probe in $script:ProbedService) {
        foreach ($service in @(Read-NodeAccountList -Asked $asked -Path $probe.Path)) {
            if (& $probe.Is -Meta $service['metadata']) { Add-NodeServiceFinding -Asked $asked -Service $service }
        }
    }
    if ($asked.Bad.Count -gt 0) {
        $repair = if ($asked.Differs) { 'kube-proxy' } else { '' }
        return ConvertTo-NodeVerdict -Verdict fail -Evidence ($asked.Bad -join '; ') -Repair $repair
    }
    if ($asked.Open.Count -gt 0) {
        $text = "not compared: $(@($asked.Open | Select-Object -Unique) -join '; '); " +
        "HNS has $($lists.Count) load balancers"
        return ConvertTo-NodeVerdict -Verdict unknown -Evidence $text
    }
    ConvertTo-NodeVerdict -Verdict ok -Evidence ($asked.Good -join '; ')
}

function Read-NodeAccountList {
    # The objects of a list, read with a program's account; records why there are none.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Asked,
        [Parameter(Mandatory = $true)] [string] $Path
    )

    $answer = Invoke-NodeRequest -Way $Asked.Account -Path $Path
    if ($answer.Problem -eq '') {
        return @((ConvertFrom-NodeJson -Text $answer.Text)['items'] | Where-Object -FilterScript { $null -ne $_ })
    }
    # kube-proxy cannot read what its account may not read; without an answer, the result is unknown.
    $list = if ($answer.Reason -cin 'Unauthorized', 'Forbidden') { 'Bad' } else { 'Open' }
    $Asked[$list] += "with the credentials of kube-proxy: $($answer.Problem)"
}

function Add-NodeServiceFinding {
    # Compares the EndpointSlices of a Service with its load balancers in HNS, port by port.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Asked,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Service
    )

    $meta = $Service['metadata']
    $spec = $Service['spec']
    $vip = "$($spec['clusterIP'])"
    # A headless Service has no load balancer.
    if ($vip -cin '', 'None') { return }
    $path = '/apis/discovery.k8s.io/v1/namespaces/{0}/endpointslices?labelSelector={1}%3D{2}' -f
    $meta['namespace'], 'kubernetes.io%2Fservice-name', $meta['name']
    $before = $Asked.Bad.Count + $Asked.Open.Count
    $slices = @(Read-NodeAccountList -Asked $Asked -Path $path | Where-Object -FilterScript {
            $_['metadata']['labels']['kubernetes.io/service-name'] -ceq $meta['name']
        })
    if ($Asked.Bad.Count + $Asked.Open.Count -gt $before) { return }
    foreach ($port in @($spec['ports'])) {
        $protocol = if ($port['protocol']) { $port['protocol'] } else { 'TCP' }
        $number = $script:ProtocolNumber[$protocol]
        $name = '{0}/{1} {2}:{3} {4}' -f $meta['namespace'], $meta['name'], $vip, $port['port'], $protocol
        $wanted = @(Get-NodeServiceBackend -Slice $slices -Port $port -Spec $spec |
                Sort-Object | Select-Object -Unique)
        $found = @($Asked.Lists | Where-Object -FilterScript {
                $_.Vip -eq $vip -and $_.Port -eq $port['port'] -and $_.Protocol -eq $number
            })
        # kube-proxy creates no load balancer for a Service without endpoints.
        if ($wanted.Count -eq 0) { $Asked.Good += "$name has no endpoints"; continue }
        if ($found.Count -eq 0) {
            $Asked.Bad += "HNS has no load balancer for $name"
            $Asked.Differs = $true
            continue
        }
        $has = @($found | ForEach-Object -Process { $_.Behind } | Sort-Object | Select-Object -Unique) -join ', '
        $should = $wanted -join ', '
        if ($has -ceq $should) {
            $Asked.Good += "$name to $should"
            $script:Run.Balancers += "$vip $($port['port']) $number"
            continue
        }
        $Asked.Bad += "HNS sends $name to $has, expected $should"
        $Asked.Differs = $true
    }
}

function Get-NodeServiceBackend {
    # The addresses that kube-proxy uses for a port of a Service: of ready endpoints, of the IP family of the
    # Service IP, and on this node if internalTrafficPolicy is Local. Zone hints are not used on Windows.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Slice,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Port,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Spec
    )

    $family = if ($Spec['clusterIP'].Contains(':')) { 'IPv6' } else { 'IPv4' }
    $own = "$($Spec['internalTrafficPolicy'])" -ceq 'Local'
    foreach ($one in $Slice) {
        $ports = @($one['ports'] | Where-Object -FilterScript { "$($_['name'])" -ceq "$($Port['name'])" })
        if ($one['addressType'] -cne $family -or $ports.Count -eq 0) { continue }
        foreach ($endpoint in $one['endpoints']) {
            # A missing condition means ready.
            if ($null -ne $endpoint['conditions'] -and $false -eq $endpoint['conditions']['ready']) { continue }
            if ($own -and $endpoint['nodeName'] -cne (Get-NodeFact -Name 'nodeName')) { continue }
            @($endpoint['addresses'])[0]
        }
    }
}
