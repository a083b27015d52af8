# Compares this machine with an existing Node object of the same name.

function Get-NodeNameComparison {
    # A Ready Node of this name with another machine ID or address is another machine. A node that has joined is
    # not checked: the Node object is its own.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    if ($Asked.Way.Name -ceq 'certificate') { return }
    $status = $Asked.Answer['status']
    $ready = @($status['conditions'] | Where-Object -FilterScript {
            $null -ne $_ -and $_['type'] -ceq 'Ready' -and $_['status'] -ceq 'True'
        })
    $own = Get-NodeMachineId
    $theirs = @{}
    foreach ($field in 'machineID', 'systemUUID') { $theirs[$field] = "$($status['nodeInfo'][$field])" }
    $addresses = @($status['addresses'] | Where-Object -FilterScript {
            $null -ne $_ -and $_['type'] -ceq 'InternalIP'
        } | ForEach-Object -Process { $_['address'] })
    $strange = @($theirs.Keys | Where-Object -FilterScript {
            $theirs[$_] -ne '' -and $own[$_] -ne '' -and $theirs[$_] -ne $own[$_]
        })
    $same = $ready.Count -eq 0 -or ($strange.Count -eq 0 -and $addresses -ccontains $own.Address)
    $name = Get-NodeFact -Name 'nodeName'
    $there = "$($addresses -join ', ') on $($theirs.machineID) $($theirs.systemUUID)".Trim()
    $pair = @{
        Cluster = "a Ready Node $name at $there"
        Bundle  = "this machine at $($own.Address) on $($own.machineID) $($own.systemUUID)".Trim()
        Where   = 'the host name or nodeName, or kubectl delete node'
    }
    if ($same) { $pair.Cluster = if ($ready.Count -eq 0) { 'a Node that is not Ready' } else { 'this machine' } }
    ConvertTo-NodeComparison -Name 'name' @pair -Same:$same
}

function Get-NodeMachineId {
    # The IDs that the kubelet will report for this machine: host name, hardware ID, address.
    # https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/winstats/perfcounter_nodestats_windows.go
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $tcp = 'HKLM:\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters'
    $id = Get-NodeRegistryData -Key 'HKLM:\SYSTEM\HardwareConfig' -Name 'LastConfig'
    @{
        machineID  = "$(Get-NodeRegistryData -Key $tcp -Name 'Hostname')"
        systemUUID = ("$id" -creplace '[{}]').ToUpperInvariant()
        Address    = Get-NodeFact -Name 'nodeIP'
    }
}
