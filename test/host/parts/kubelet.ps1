# kubelet: what it needs to start, when it writes what, and how it comes to its certificate.

# Sources and what they say stand in test/host/README.md.
$script:Daemon['kubelet'] = {
    param($Arguments, $Name)
    $plan = @{
        Since = $script:Machine.Running[$Name]; Token = ''; Try = 0; Request = ''; Server = ''
        Config = Get-HostArgument -Argument $Arguments -Name '--config'
        Bootstrap = Get-HostArgument -Argument $Arguments -Name '--bootstrap-kubeconfig'
        Kubeconfig = Get-HostArgument -Argument $Arguments -Name '--kubeconfig'
        Folder = Get-HostArgument -Argument $Arguments -Name '--cert-dir'
        Name = Get-HostArgument -Argument $Arguments -Name '--hostname-override'
        Rotates = $true; Renews = $null; Until = $null; Ca = ''; Authority = ''; Labels = Get-HostArgument -Argument $Arguments -Name '--node-labels'
        Version = Get-HostKubeletVersion -Name $Name
    }
    # It answers the service manager first; what it does not find ends it a moment later.
    Add-HostDue -After 0.4 -Name 'kubelet-load' -Subject $plan
}

function Get-HostKubeletVersion {
    # The version of the program that a service runs, by the address that it came from.
    param([string] $Name)

    $path = @(Split-HostCommandLine -Text (Get-HostServiceValue -Name $Name -Value 'ImagePath') | Where-Object -FilterScript { $_ -like '*\kubelet.exe' })[0]
    [regex]::Match((Get-Content -LiteralPath $path -Raw), 'v\d+\.\d+\.\d+[^/\s]*').Value
}

function Test-HostKubelet {
    # Whether the kubelet that planned something still runs.
    param([hashtable] $Plan)

    $script:Machine.Running.ContainsKey('kubelet') -and $script:Machine.Running['kubelet'] -eq $Plan.Since
}

function Stop-HostKubelet {
    # The kubelet ends by itself; why stands in the event log.
    param([string] $Message)

    Stop-HostProcess -Name 'kubelet' -Message $Message
}

function ConvertTo-HostPath {
    # A path without a drive is on that of the working folder.
    param([string] $Path)

    if ($Path -match '^/') { return 'C:' + $Path.Replace('/', '\') }
    $Path
}

function Read-HostCredential {
    # The content of a kubeconfig; nothing if it is missing.
    param([string] $LiteralPath)

    if (-not $LiteralPath -or -not (Test-Path -LiteralPath $LiteralPath)) { return }
    $text = Get-Content -LiteralPath $LiteralPath -Raw
    $found = @{ Text = $text }
    foreach ($field in 'server', 'token', 'client-certificate', 'certificate-authority-data') {
        $found[$field] = [regex]::Match($text, "(?m)^\s*$($field): *`"?([^\s`"]+)").Groups[1].Value
    }
    $found
}

function Test-HostCertificate {
    # Whether the kubelet could still use this file: a certificate with its key that has not expired.
    param([string] $LiteralPath)

    $path = ConvertTo-HostPath -Path $LiteralPath
    if (-not $path -or -not (Test-Path -LiteralPath $path)) { return $false }
    try {
        $pem = Get-Content -LiteralPath $path -Raw
        $one = [System.Security.Cryptography.X509Certificates.X509Certificate2]::CreateFromPem($pem, $pem)
        (Get-HostTime) -le $one.NotAfter.ToUniversalTime()
    } catch {
        $false
    }
}

$script:Happening['kubelet-load'] = {
    # Its own certificate for serving, its folders of logs with their lists, then the credentials.
    param($Plan)
    if (-not (Test-HostKubelet -Plan $Plan)) { return }
    if (-not (Test-Path -LiteralPath $Plan.Config)) {
        return Stop-HostKubelet -Message "failed to load kubelet config file, path: $($Plan.Config)"
    }
    Initialize-HostLogFolder
    $null = New-Item -ItemType Directory -Path $Plan.Folder -Force
    foreach ($name in 'kubelet.crt', 'kubelet.key') {
        if (-not (Test-Path -LiteralPath "$($Plan.Folder)\$name")) { Set-Content -LiteralPath "$($Plan.Folder)\$name" -Value $name }
    }
    $own = Read-HostCredential -LiteralPath $Plan.Kubeconfig
    if ($null -ne $own -and (Test-HostCertificate -LiteralPath $own['client-certificate'])) {
        $Plan.Server = $own['server']
        return Add-HostDue -After 0.4 -Name 'kubelet-register' -Subject $Plan
    }
    if (-not $Plan.Bootstrap) { return Stop-HostKubelet -Message "failed to run Kubelet: unable to load kubeconfig: stat $($Plan.Kubeconfig)" }
    $given = Read-HostCredential -LiteralPath $Plan.Bootstrap
    if ($null -eq $given) {
        return Stop-HostKubelet -Message "failed to run Kubelet: unable to load bootstrap kubeconfig: stat $($Plan.Bootstrap): no such file or directory"
    }
    # The bootstrap file is not read again. With rotation kubelet.conf is written now, before there is any certificate.
    $Plan.Authority, $Plan.Token, $Plan.Server = $given['certificate-authority-data'], $given['token'], $given['server']
    $Plan.Ca = [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String("$($Plan.Authority)"))
    $Plan.Rotates = (Get-Content -LiteralPath $Plan.Config -Raw) -notmatch 'rotateCertificates"?: *false'
    if ($Plan.Rotates) { Write-HostKubeconfig -Plan $Plan }
    # It uses the certificate in its store, whichever CA signed it, and requests no other before it has nearly expired.
    $store = "$($Plan.Folder)\kubelet-client-current.pem"
    if ($Plan.Rotates -and (Test-Path -LiteralPath $store)) {
        if ((Get-Content -LiteralPath $store -Raw) -notmatch '(?s)BEGIN CERTIFICATE.*BEGIN EC PRIVATE KEY') {
            return Stop-HostKubelet -Message "failed to run Kubelet: failed to initialize client certificate manager: could not convert data from `"$store`" into cert/key pair: tls: failed to find any PEM data in key input"
        }
        if (Test-HostCertificate -LiteralPath $store) { return Add-HostDue -After 0.4 -Name 'kubelet-register' -Subject $Plan }
    }
    Add-HostDue -After 0.1 -Name 'kubelet-request' -Subject $Plan
    if ($Plan.Rotates) { Add-HostDue -After 299.6 -Name 'kubelet-give-up' -Subject $Plan }
}

function Write-HostKubeconfig {
    # kubelet.conf, which names the certificate that is to come.
    param([hashtable] $Plan)

    $pem = "$($Plan.Folder)\kubelet-client-current.pem"
    Set-Content -LiteralPath $Plan.Kubeconfig -NoNewline -Value ("apiVersion: v1`nclusters:`n- cluster:`n    certificate-authority-data: $($Plan.Authority)`n" +
        "    server: $($Plan.Server)`n  name: default-cluster`ncontexts:`n- context:`n    cluster: default-cluster`n    namespace: default`n" +
        "    user: default-auth`n  name: default-context`ncurrent-context: default-context`nkind: Config`nusers:`n- name: default-auth`n" +
        "  user:`n    client-certificate: $pem`n    client-key: $pem`n")
}

$script:Happening['kubelet-request'] = {
    # Asks for a certificate; without an answer, or refused, again and again.
    param($Plan)
    if (-not (Test-HostKubelet -Plan $Plan)) { return }
    $path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    $answer = Invoke-HostApi -Token $Plan.Token -Verb POST -Path $path
    $doubt = if ($answer.Code -ne 0 -and $Plan.Ca) { [WinNodeHost.ApiServer]::Doubt($Plan.Ca) } else { '' }
    if ($answer.Code -ne 200 -or $doubt -or $Plan.Server -ne $script:Machine.Cluster.Server) {
        $problem = "cannot create certificate signing request: $(if ($doubt) { $doubt } else { $answer.Text })"
        # Without rotation it asks for a minute.
        if (-not $Plan.Rotates -and $script:Machine.Seconds - $Plan.Since -ge 60) { return Stop-HostKubelet -Message "failed to run Kubelet: $problem" }
        $script:Machine.Events += "kubelet : $problem"
        $Plan.Try++
        $pause = [math]::Min(24, [math]::Pow(2, $Plan.Try))
        if (-not $Plan.Rotates) { $pause = [math]::Min($pause, $Plan.Since + 60 - $script:Machine.Seconds) }
        return Add-HostDue -After $pause -Name 'kubelet-request' -Subject $Plan
    }
    $cluster = $script:Machine.Cluster
    $cluster.Requests++
    $Plan.Request = "$path/csr-$($cluster.Requests)"
    Add-HostRequest -Plan $Plan -Condition @()
    Add-HostDue -After 0.1 -Name 'kubelet-watch' -Subject $Plan
}

function Add-HostRequest {
    # The request for a certificate as an object of the cluster.
    param([hashtable] $Plan, [object[]] $Condition)

    $pem = [WinNodeHost.ApiServer]::Request("system:node:$($Plan.Name)", 'system:nodes')
    Set-HostObject -Path $Plan.Request -Value @{
        metadata = @{ name = $Plan.Request -replace '^.*/'; creationTimestamp = (Get-HostTime).ToString('yyyy-MM-ddTHH:mm:ssZ') }
        spec     = @{
            signerName = 'kubernetes.io/kube-apiserver-client-kubelet'; username = "system:bootstrap:$($Plan.Token -replace '\..*$')"
            request    = [System.Convert]::ToBase64String([System.Text.Encoding]::ASCII.GetBytes($pem))
        }
        status   = @{ conditions = $Condition }
    }
}

$script:Happening['kubelet-watch'] = {
    # Signed, denied, or nothing yet.
    param($Plan)
    if (-not (Test-HostKubelet -Plan $Plan)) { return }
    switch ($script:Machine.Cluster.Signs) {
        'approve' {
            Add-HostRequest -Plan $Plan -Condition @(@{ type = 'Approved' })
            Write-HostCertificate -Plan $Plan
            if (-not $Plan.Rotates) { Write-HostKubeconfig -Plan $Plan }
            Add-HostDue -After 0.4 -Name 'kubelet-register' -Subject $Plan
        }
        'deny' {
            Add-HostRequest -Plan $Plan -Condition @(@{ type = 'Denied'; reason = 'KubectlDeny'; message = 'This CSR was denied by kubectl certificate deny.' })
            $script:Machine.Events += 'kubelet : certificate signing request is denied, reason: KubectlDeny'
            $script:Machine.Cluster.Signs = 'wait'
            Add-HostDue -After 2 -Name 'kubelet-request' -Subject $Plan
        }
        default { Add-HostDue -After 1 -Name 'kubelet-watch' -Subject $Plan }
    }
}

$script:Happening['kubelet-give-up'] = {
    # Five minutes without a certificate: it ends where the server answers and no request is waited for.
    param($Plan)
    if (-not (Test-HostKubelet -Plan $Plan)) { return }
    if (Test-HostCertificate -LiteralPath "$($Plan.Folder)\kubelet-client-current.pem") { return }
    if ($Plan.Request -or -not [WinNodeHost.ApiServer]::Listens) {
        $script:Machine.Events += 'kubelet : No valid client certificate is found but the server is not responsive.'
        return Add-HostDue -After 10 -Name 'kubelet-give-up' -Subject $Plan
    }
    Stop-HostKubelet -Message 'No valid client certificate is found and the server is responsive, exiting.'
}

$script:Happening['kubelet-register'] = {
    # Registers its Node, and reports at intervals whether it is Ready: with a runtime and a CNI conf it is.
    param($Plan)
    if (-not (Test-HostKubelet -Plan $Plan)) { return }
    Add-HostDue -After 10 -Name 'kubelet-register' -Subject $Plan
    if (-not [WinNodeHost.ApiServer]::Listens -or $Plan.Server -ne $script:Machine.Cluster.Server) { return }
    [WinNodeHost.ApiServer]::Now = Get-HostTrueTime
    Update-HostCertificate -Plan $Plan
    if (-not [WinNodeHost.ApiServer]::Knows((Get-Content -LiteralPath "$($Plan.Folder)\kubelet-client-current.pem" -Raw))) {
        $script:Machine.Events += 'kubelet : Unable to register node with API server: Unauthorized'
        return
    }
    $there = Test-Path -LiteralPath 'C:\etc\cni\net.d'
    $conf = @(if ($there) { Get-ChildItem -LiteralPath 'C:\etc\cni\net.d' -Filter '*.conf*' })
    $ready = $conf.Count -gt 0 -and $script:Machine.Running.ContainsKey('containerd')
    $why = if ($ready) { 'kubelet is posting ready status' } else { 'container runtime network not ready: cni plugin not initialized' }
    Register-HostNode -Plan $Plan -Ready $ready -Message $why
    if ($script:Machine.DaemonSet -is [System.Collections.IDictionary] -and $script:Machine.DaemonSet.Name -eq 'Calico' -and $script:Machine.DaemonSet['Proxy']) { return Start-HostCalico }
    if (Test-HostAntrea) { return Start-HostAntrea }
    $made = $script:Machine.DaemonSet
    if ($made -is [System.Collections.IDictionary] -and $made['Flannel']) { return Start-HostFlannelPod }
    if ($made -is [System.Collections.IDictionary] -and -not $made['Type']) { return Start-HostProxyPod }
    # A DaemonSet with a CNI configuration starts once the Node exists; it creates the network that it is given.
    if ($conf.Count -eq 0 -and $script:Machine.DaemonSet) {
        $null = New-Item -ItemType Directory -Path 'C:\etc\cni\net.d' -Force
        Set-Content -LiteralPath 'C:\etc\cni\net.d\10-daemonset.conflist' -Value '{}'
    }
    if ($made -is [System.Collections.IDictionary] -and @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $made.Name }).Count -eq 0) {
        Add-HostNetwork -Name $made.Name -Type $made.Type -Subnet '10.244.3.0/26'
    }
}

function Register-HostNode {
    # The kubelet's own Node: labels and taints when there is none yet, later the status alone.
    param([hashtable] $Plan, [bool] $Ready, [string] $Message)

    $object = [WinNodeHost.ApiServer]::Get("/api/v1/nodes/$($Plan.Name)")
    $there = if ($object) { ConvertFrom-Json -InputObject $object -AsHashtable }
    $labels = @{}; $spec = @{}
    if ($there) {
        if ($there.metadata['labels']) { $labels = $there.metadata.labels }
        $spec = $there.spec
    } else {
        foreach ($pair in "$($Plan.Labels)".Split(',')) { if ($pair) { $labels[$pair.Split('=')[0]] = $pair.Split('=')[1] } }
        $conf = try { Get-Content -LiteralPath $Plan.Config -Raw | ConvertFrom-Json -AsHashtable } catch { @{} }
        if ($conf['registerWithTaints']) { $spec.taints = @($conf.registerWithTaints) }
    }
    Set-HostNode -Name $Plan.Name -Ready $Ready -Message $Message -Label $labels -Spec $spec -Version $Plan.Version
}

function Get-HostSystemId {
    # The id of the hardware, as the kubelet makes it of the registry.
    $data = [WinNodeHost.Registry]::Get('SYSTEM\HardwareConfig', 'LastConfig')
    "$data".Trim('{', '}').ToUpperInvariant()
}

function Set-HostNode {
    # A Node of the cluster.
    param([string] $Name, [bool] $Ready, [string] $Message = '', [string] $Address = $script:Machine.Address, [hashtable] $Annotation = @{}, [string] $Id = (Get-HostSystemId), [string] $Machine = [WinNodeHost.Registry]::Get('SYSTEM\CurrentControlSet\Services\Tcpip\Parameters', 'Hostname'), [hashtable] $Label = @{}, [hashtable] $Spec = @{}, [string] $Version = 'v1.36.0')

    $Spec['podCIDR'] = $script:Machine.PodSubnet
    # The kubelet keeps conditions and annotations of other programs.
    $before = $script:Machine.Cluster.Objects["/api/v1/nodes/$Name"]
    $kept = if ($before) { $before | ConvertFrom-Json -AsHashtable } else { @{ metadata = @{ annotations = @{} }; status = @{ conditions = @() } } }
    $others = @($kept.status.conditions | Where-Object -FilterScript { $_.type -notin 'Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure' })
    $published = if ($kept.metadata['annotations']) { $kept.metadata['annotations']['winnode/bundle'] }
    if ($published) { $Annotation = $Annotation + @{ 'winnode/bundle' = $published } }
    Set-HostObject -Path "/api/v1/nodes/$Name" -Value @{
        metadata = @{ name = $Name; annotations = $Annotation; labels = $Label }
        spec     = $Spec
        status   = @{
            addresses  = @(@{ type = 'InternalIP'; address = $Address }, @{ type = 'Hostname'; address = $Name })
            conditions = @(@{ type = 'Ready'; status = "$Ready"; message = $Message; lastHeartbeatTime = (Get-HostTime).ToString('yyyy-MM-ddTHH:mm:ssZ') }) + $others
            nodeInfo   = @{ machineID = $Machine; systemUUID = $Id; kubeletVersion = $Version }
        }
    }
}
