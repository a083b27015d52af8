# Checks that the HNS endpoints of pods are attached.

$script:HealthKind['endpoints'] = @{
    Function = 'Get-NodeEndpointHealth'
    Event    = 115
    Remedy   = 'if it remains: delete the pods named; Remove-HnsEndpoint removes an endpoint of no pod'
}

# Endpoint states of HNS: https://github.com/microsoft/hcsshim/blob/main/internal/hns/hnsendpoint.go
$script:EndpointState = @(
    'Uninitialized', 'Created', 'Attached', 'AttachedSharing', 'Detached', 'Degraded', 'Destroyed'
)

function Get-NodeEndpointHealth {
    # How many endpoints of pods there are, and which are attached to no container: a pod behind one has no
    # network, and a plugin may leave one behind when its pod goes. A plugin names them SANDBOX_NETWORK.
    # https://github.com/projectcalico/calico/blob/87c15906f20c/felix/dataplane/windows/endpoint_mgr.go#L205
    # https://github.com/projectcalico/calico/issues/7823
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $pods = @{}
    foreach ($pod in @(Get-NodeReadySandbox)) { $pods["$($pod['id'])"] = Get-NodePodName -Pod $pod }
    $count = 0
    $loose = @()
    $fields = 'ID', 'Name', 'IsRemoteEndpoint', 'State'
    foreach ($endpoint in @(Get-NodeHnsObject -Kind Endpoint | Select-Object -Property $fields)) {
        if ("$($endpoint.Name)" -cnotmatch '^([0-9a-f]{64})_') { continue }
        $owner = $Matches[1]
        if ($endpoint.IsRemoteEndpoint) { continue }
        $count++
        $state = $script:EndpointState[[int]$endpoint.State]
        if ($state -in 'Attached', 'AttachedSharing') { continue }
        $of = if ($pods.ContainsKey($owner)) { "of $($pods[$owner])" } else { 'of no running pod' }
        $loose += '{0} {1} ({2})' -f $endpoint.ID, $of, $state
    }
    $text = "$count endpoints of pods"
    if ($loose.Count -eq 0) { return ConvertTo-NodeVerdict -Verdict ok -Evidence "$text, all attached" }
    $names = @($loose | Select-Object -First 5) -join ', '
    ConvertTo-NodeVerdict -Verdict warn -Evidence "$text, $($loose.Count) not attached: $names"
}
