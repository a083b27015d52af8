# The cluster: its API server on loopback, its objects, and the files for a node.

function New-HostCluster {
    # A cluster as kubeadm makes one, with a token, and the files that are copied to a node.
    [WinNodeHost.ApiServer]::Start('')
    $server = "https://127.0.0.1:$([WinNodeHost.ApiServer]::Port)"
    $script:Machine.Cluster = @{
        Server = $server; Port = [WinNodeHost.ApiServer]::Port; Authority = [WinNodeHost.ApiServer]::Authorities()
        # approve, wait or deny: what becomes of a request for a certificate.
        Signs = 'approve'; Days = 365; Requests = 0; Objects = @{}; Tokens = @{}
    }
    # One as kubeadm makes it, and one of the group that 05-bootstrap.yaml of a bundle lets in.
    Set-HostToken -Token 'abcdef.0123456789abcdef' -User 'system:bootstrap:abcdef system:bootstrappers:kubeadm:default-node-token'
    Set-HostToken -Token 'q1w2e3.r4t5y6u7i8o9p0a1' -User 'system:bootstrap:q1w2e3 system:bootstrappers:winnode'
    foreach ($name in 'flannel', 'kube-proxy') { Set-HostToken -Token "token-of-$name" -User "system:serviceaccount:kube-system:winnode-$name" }
    Set-HostObject -Path '/version' -Value @{ gitVersion = 'v1.36.1' }
    $kubeconfig = Get-HostKubeconfig
    Set-HostConfigMap -Name 'kube-public/cluster-info' -Data @{ kubeconfig = $kubeconfig }
    $networking = "networking:`n  dnsDomain: cluster.local`n  podSubnet: 10.244.0.0/16`n  serviceSubnet: 10.96.0.0/12"
    Set-HostConfigMap -Name 'kube-system/kubeadm-config' -Data @{
        ClusterConfiguration = "controlPlaneEndpoint: 127.0.0.1:$([WinNodeHost.ApiServer]::Port)`nkubernetesVersion: v1.36.1`n$networking"
    }
    Set-HostConfigMap -Name 'kube-system/kubelet-config' -Data @{ kubelet = "clusterDNS:`n- 10.96.0.10`nclusterDomain: cluster.local" }
    $folder = [System.IO.Directory]::CreateDirectory("$script:Root.provided").FullName
    [System.IO.File]::WriteAllText("$folder/discovery.conf", $kubeconfig)
    [System.IO.File]::WriteAllText("$folder/bootstrap-kubelet.conf", (Get-HostKubeconfig -Token 'abcdef.0123456789abcdef'))
    foreach ($name in 'flannel', 'kube-proxy') {
        [System.IO.File]::WriteAllText("$folder/$name.conf", (Get-HostKubeconfig -Token "token-of-$name"))
        [System.IO.File]::WriteAllText("$folder/$name.token", "token-of-$name")
    }
    $now = [datetime]'2025-12-01'
    $pem = [WinNodeHost.ApiServer]::Client('system:kube-proxy', 'nobody', $now, $now.AddYears(5))
    foreach ($name in 'crt', 'key') { [System.IO.File]::WriteAllText("$folder/kube-proxy.$name", $pem) }
    [System.IO.File]::WriteAllText("$folder/ca.crt", [WinNodeHost.ApiServer]::CaPem)
    $ports = @(@{ name = 'dns'; port = 53; protocol = 'UDP' }, @{ name = 'dns-tcp'; port = 53; protocol = 'TCP' })
    Add-HostService -Name 'kube-system/kube-dns' -Address '10.96.0.10' -Port $ports -Behind '10.244.0.2', '10.244.0.3' -Unready '10.244.0.4' -Label @{ 'k8s-app' = 'kube-dns' }
    Add-HostService -Name 'default/kubernetes' -Address '10.96.0.1' -Port @(@{ name = 'https'; port = 443; target = 6443; protocol = 'TCP' }) -Behind '192.0.2.5'
    Set-HostObject -Path '/apis/networking.k8s.io/v1/servicecidrs/kubernetes' -Value @{ metadata = @{ name = 'kubernetes' }; spec = @{ cidrs = @('10.96.0.0/12') } }
    Add-HostLinuxNode -Name 'linux-a'
}

function Add-HostService {
    # A service with its EndpointSlice, as the API server and the controller of slices write them.
    param([string] $Name, [string] $Address, [hashtable[]] $Port, [string[]] $Behind, [hashtable] $Label = @{}, [string[]] $Unready = @())

    $space, $short = $Name.Split('/')
    Set-HostObject -Path "/api/v1/namespaces/$space/services/$short" -Value @{
        metadata = @{ name = $short; namespace = $space; labels = $Label }
        spec     = @{ clusterIP = $Address; ports = @($Port | ForEach-Object -Process { @{ name = $_.name; port = $_.port; protocol = $_.protocol } }) }
    }
    Set-HostObject -Path "/apis/discovery.k8s.io/v1/namespaces/$space/endpointslices/$short-1" -Value @{
        metadata    = @{ name = "$short-1"; namespace = $space; labels = @{ 'kubernetes.io/service-name' = $short } }
        addressType = 'IPv4'
        endpoints   = @(@($Behind) + $Unready | ForEach-Object -Process { @{ addresses = @($_); conditions = @{ ready = $_ -notin $Unready; serving = $_ -notin $Unready; terminating = $false } } })
        ports       = @($Port | ForEach-Object -Process { @{ name = $_.name; port = $(if ($_['target']) { $_.target } else { $_.port }); protocol = $_.protocol } })
    }
}

function Add-HostLinuxNode {
    # An existing node, as flanneld on Linux annotates it.
    param([string] $Name, [string] $Subnet = '10.244.1.0/24', [string] $Backend = 'vxlan', [string] $Data = '{"VNI":4096,"VtepMAC":"0e:2a:5b:00:00:01"}')

    Set-HostObject -Path "/api/v1/nodes/$Name" -Value @{
        metadata = @{ name = $Name; annotations = @{ 'flannel.alpha.coreos.com/backend-type' = $Backend; 'flannel.alpha.coreos.com/backend-data' = $Data } }
        spec     = @{ podCIDR = $Subnet }
        status   = @{ conditions = @(@{ type = 'Ready'; status = 'True' }) }
    }
}

function Get-HostKubeconfig {
    # A kubeconfig of this cluster, as kubectl writes it.
    param([string] $Token = '', [string] $Ca = [WinNodeHost.ApiServer]::CaPem, [string] $Server = $script:Machine.Cluster.Server)

    $data = [System.Convert]::ToBase64String([System.Text.Encoding]::ASCII.GetBytes($Ca))
    $users = if ($Token) { "users:`n- name: bootstrap`n  user:`n    token: $Token`n" } else { "users: null`n" }
    "apiVersion: v1`nclusters:`n- cluster:`n    certificate-authority-data: $data`n    server: $Server`n  name: kubernetes`nkind: Config`n$users"
}

function Set-HostCluster {
    # Describes the cluster, by the names of New-HostCluster.
    param([string] $Name, [object] $Value)

    $script:Machine.Cluster[$Name] = $Value
}

function Set-HostObject {
    # Puts an object into the cluster.
    param([string] $Path, [object] $Value)

    $json = ConvertTo-Json -InputObject $Value -Depth 9 -Compress
    $script:Machine.Cluster.Objects[$Path] = $json
    [WinNodeHost.ApiServer]::Put($Path, $json)
}

function Set-HostConfigMap {
    param([string] $Name, [hashtable] $Data)

    $space, $map = $Name.Split('/')
    Set-HostObject -Path "/api/v1/namespaces/$space/configmaps/$map" -Value @{ kind = 'ConfigMap'; data = $Data }
}

function Set-HostToken {
    # Makes a token known to the cluster, with its user and his groups, or lets it expire where there is no user.
    param([string] $Token, [string] $User = '')

    $script:Machine.Cluster.Tokens[$Token] = $User
    [WinNodeHost.ApiServer]::Token($Token, $(if ($User) { $User } else { $null }))
}

function Restore-HostCluster {
    # The cluster of a machine that was kept.
    $cluster = $script:Machine.Cluster
    if ($null -eq $cluster) { return }
    [WinNodeHost.ApiServer]::Start($cluster.Authority)
    if (@($script:Machine.Due | Where-Object -FilterScript { $_.Name -eq 'api-answers' }).Count -gt 0) { [WinNodeHost.ApiServer]::Stop() }
    Move-HostCluster -Port ([WinNodeHost.ApiServer]::Port)
    foreach ($path in $cluster.Objects.Keys) { [WinNodeHost.ApiServer]::Put($path, $cluster.Objects[$path]) }
    foreach ($token in $cluster.Tokens.Keys) { [WinNodeHost.ApiServer]::Token($token, $(if ($cluster.Tokens[$token]) { $cluster.Tokens[$token] } else { $null })) }
}

function Move-HostCluster {
    # Another process has another port: everywhere that the machine and its cluster name the one, they name the other.
    param([int] $Port)

    $cluster = $script:Machine.Cluster
    $old, $new = "127.0.0.1:$($cluster.Port)", "127.0.0.1:$Port"
    if ($old -eq $new) { return }
    $cluster.Port = $Port
    $cluster.Server = "https://$new"
    foreach ($path in @($cluster.Objects.Keys)) { $cluster.Objects[$path] = $cluster.Objects[$path].Replace($old, $new) }
    foreach ($due in $script:Machine.Due) { if ($due.Subject -is [hashtable] -and $due.Subject['Server']) { $due.Subject['Server'] = $cluster.Server } }
    $folder = "$script:Root/etc/kubernetes"
    if (-not [System.IO.Directory]::Exists($folder)) { return }
    foreach ($file in [System.IO.Directory]::GetFiles($folder, '*.conf')) {
        $text = [System.IO.File]::ReadAllText($file)
        if (-not $text.Contains($old)) { continue }
        $before = (Get-FileHash -LiteralPath $file).Hash.ToLowerInvariant()
        [System.IO.File]::WriteAllText($file, $text.Replace($old, $new))
        Move-HostDigest -From $before -To (Get-FileHash -LiteralPath $file).Hash.ToLowerInvariant()
    }
}

function Move-HostDigest {
    # The memory of the node knows a file by its digest: it was not replaced, so it is the one that was read.
    param([string] $From, [string] $To)

    foreach ($file in 'state.json', 'state.json.good') {
        $path = "$script:Root/ProgramData/winnode/$file"
        if (-not [System.IO.File]::Exists($path)) { continue }
        $text = [System.IO.File]::ReadAllText($path)
        if ($text.Contains($From)) { [System.IO.File]::WriteAllText($path, $text.Replace($From, $To)) }
    }
}

function Invoke-HostApi {
    # What a program gets that asks: code and text; 0 where nothing listens.
    param([string] $Token, [string] $Verb = 'GET', [string] $Path)

    if (-not [WinNodeHost.ApiServer]::Listens) { return @{ Code = 0; Text = 'connectex: No connection could be made because the target machine actively refused it.' } }
    [WinNodeHost.ApiServer]::Now = Get-HostTrueTime
    $answer = [WinNodeHost.ApiServer]::Ask($Token, $Verb, $Path)
    @{ Code = $answer.Key; Text = ($answer.Value | ConvertFrom-Json -AsHashtable)['message'] }
}

function Stop-HostApi {
    # Nothing listens there any more, for so many seconds.
    param([double] $For)

    [WinNodeHost.ApiServer]::Stop()
    Add-HostDue -After $For -Name 'api-answers' -Subject ''
}

$script:Happening['api-answers'] = { [WinNodeHost.ApiServer]::Open() }

# What an administrator does later: approve, wait, deny.
$script:Happening['cluster-signs'] = { param($How) $script:Machine.Cluster.Signs = $How }
