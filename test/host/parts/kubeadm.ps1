# kubeadm join: what it refuses, in which order it works, how long it waits, and what it leaves.

# Sources and what they say stand in test/host/README.md.
Add-HostProgram -Name 'kubeadm' -Body {
    param($Call)
    try {
        Invoke-HostJoin -Call $Call
    } catch {
        # Before 1.28 the error has no prefix, and a validation error has another exit code.
        $old = (Get-HostKubeadmMinor) -lt 28
        $word = if ($old) { "$_" } else { "error: $_" }
        $Call.Err += $word, 'To see the stack trace of this error execute with --v=5 or higher'
        $Call.Code = if ($old -and $word -match ': Invalid value: ') { 3 } else { 1 }
    }
}

function Get-HostKubeadmMinor {
    # The minor of its version.
    $found = [regex]::Match((Get-Content -LiteralPath 'C:\k\kubeadm.exe' -Raw), 'v1\.(\d+)\.')
    if ($found.Success) { [int]$found.Groups[1].Value } else { 37 }
}

function Invoke-HostJoin {
    # One join.
    param([hashtable] $Call)

    $words = $Call.Argument
    if ($words[0] -ne 'join') { throw "unknown command `"$($words[0])`" for `"kubeadm`"" }
    if ($words.Count -ne 3 -or $words[1] -ne '--config') { throw 'can not mix ''--config'' with arguments' }
    $conf = Get-Content -LiteralPath (Resolve-HostProgramPath -Path $words[2]) -Raw | ConvertFrom-Json -AsHashtable
    $plan = Read-HostJoin -Conf $conf
    $Call.Out += '[preflight] Running pre-flight checks'
    # Not every line of every version is known: some may hold the token.
    if ($plan.Token) { $Call.Err += "W [discovery] using the token $($plan.Token)" }
    Start-Sleep -Seconds 0.3
    $problems = @(Get-HostJoinProblem)
    if ($problems.Count -gt 0) {
        $Call.Err += '[preflight] Some fatal errors occurred:'
        foreach ($problem in $problems) { $Call.Err += "`t[ERROR $problem" }
        throw 'error execution phase preflight: preflight checks failed'
    }
    Assert-HostHealth -On 'kubeadm discovery'
    Connect-HostJoin -Plan $plan
    $Call.Out += '[preflight] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...'
    Set-Content -LiteralPath 'C:\etc\kubernetes\bootstrap-kubelet.conf' -NoNewline -Value (Get-HostKubeconfig -Token $plan.Token -Ca $plan.Ca -Server $plan.Server)
    $null = New-Item -ItemType Directory -Path 'C:\etc\kubernetes\pki' -Force
    Set-Content -LiteralPath 'C:\etc\kubernetes\pki\ca.crt' -Value $plan.Ca -NoNewline
    $node = [WinNodeHost.ApiServer]::Get("/api/v1/nodes/$($plan.Name)")
    if ($node -and ($node | ConvertFrom-Json).status.conditions[0].status -eq 'True') {
        throw "error execution phase kubelet-start: a Node with name `"$($plan.Name)`" and status `"Ready`" already exists in the cluster. You must delete the existing Node or change the name of this new joining Node"
    }
    Assert-HostHealth -On 'kubeadm kubelet-start'
    Wait-HostStop -Name 'kubelet'
    $null = New-Item -ItemType Directory -Path 'C:\var\lib\kubelet' -Force
    foreach ($name in 'config.yaml', 'instance-config.yaml') { Set-Content -LiteralPath "C:\var\lib\kubelet\$name" -Value 'kind: KubeletConfiguration' }
    Set-Content -LiteralPath 'C:\var\lib\kubelet\kubeadm-flags.env' -Value "KUBELET_KUBEADM_ARGS=`"--hostname-override=$($plan.Name)`""
    $Call.Out += '[kubelet-start] Starting the kubelet'
    try { Start-HostService -Name 'kubelet' } catch { $Call.Err += "W [kubelet-start] WARNING: unable to start the kubelet service: $_" }
    try {
        Wait-HostBootstrap -Call $Call -Name $plan.Name
    } finally {
        # Always once it has waited, whatever came of it.
        Remove-Item -LiteralPath 'C:\etc\kubernetes\bootstrap-kubelet.conf' -ErrorAction Ignore
    }
    Assert-HostHealth -On 'kubeadm end'
    $Call.Out += 'This node has joined the cluster:'
}

function Resolve-HostProgramPath {
    # A path without a drive is on that of the working folder; kubeadm does not set it.
    param([string] $Path)

    if ($Path -match '^[A-Za-z]:') { return $Path }
    if ((Get-Location).Path -notmatch '^C:[\\/]') { throw "open ${Path}: The system cannot find the path specified." }
    'C:' + $Path.Replace('/', '\')
}

function Read-HostJoin {
    # What validation makes of a JoinConfiguration.
    param([hashtable] $Conf)

    $discovery = $Conf['discovery']
    $plan = @{ Token = "$($discovery['tlsBootstrapToken'])"; Name = "$($Conf['nodeRegistration']['name'])"; File = ''; Ca = ''; Server = ''; Hashes = @() }
    if ($discovery['bootstrapToken']) {
        $by = $discovery['bootstrapToken']
        if ($by['token']) { $plan.Token = $by['token'] }
        $plan.Server = "https://$($by['apiServerEndpoint'])"
        $plan.Hashes = @($by['caCertHashes'])
        if ($by['apiServerEndpoint'] -notmatch ':\d+$') { throw 'discovery.bootstrapToken.apiServerEndpoint: Invalid value: missing port in address' }
        if ($plan.Hashes.Count -eq 0) { throw 'discovery.bootstrapToken.caCertHashes: Invalid value: "": using token-based discovery without caCertHashes can be unsafe.' }
    } elseif ($discovery['file']) {
        $path = $discovery['file']['kubeConfigPath']
        $bad = "discovery.file.kubeConfigPath: Invalid value: `"$path`""
        # url.Parse takes a drive for a scheme.
        if ($path -match '^[A-Za-z][A-Za-z0-9+.-]*:' -and $path -notmatch '^file:') { throw "${bad}: if a URL is used, the scheme must be https" }
        $plan.File = Resolve-HostProgramPath -Path $path
        if (-not (Test-Path -LiteralPath $plan.File)) { throw "${bad}: not a valid HTTPS URL or a file on disk" }
    } else {
        throw 'discovery: Invalid value: "": bootstrapToken or file must be set'
    }
    if ($plan.Token -and $plan.Token -cnotmatch '\A[a-z0-9]{6}\.[a-z0-9]{16}\z') { throw 'discovery.tlsBootstrapToken: Invalid value: "<hidden>": the bootstrap token is invalid' }
    if ($plan.Name -cnotmatch '\A[a-z0-9]([-a-z0-9.]*[a-z0-9])?\z') { throw "nodeRegistration.name: Invalid value: `"$($plan.Name)`": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters" }
    $plan
}

function Get-HostJoinProblem {
    # What its preflight finds.
    foreach ($file in '/etc/kubernetes/kubelet.conf', '/etc/kubernetes/bootstrap-kubelet.conf', '/etc/kubernetes/pki/ca.crt') {
        if (Test-Path -LiteralPath ('C:' + $file.Replace('/', '\'))) { "FileAvailable-$($file.Replace('/', '-'))]: $file already exists" }
    }
    if ($script:Machine.Running.ContainsKey('kubelet')) { 'Port-10250]: Port 10250 is in use' }
    if ('kubelet' -notin @(Get-HostServiceName)) { 'Service-Kubelet]: kubelet service does not exist' }
    # It runs the kubelet to ask for its version: by its bare name, on the PATH of its process.
    $folders = @("$env:Path" -split '[;:](?![\\/])' | Where-Object -FilterScript { $_ -match '^C:' })
    $found = @($folders | Where-Object -FilterScript { Test-Path -LiteralPath "$_\kubelet.exe" })
    if ($found.Count -eq 0) { 'KubeletVersion]: couldn''t get kubelet version: cannot execute ''kubelet --version'': exec: "kubelet": executable file not found in %PATH%' }
}

function Connect-HostJoin {
    # Discovery, and what it reads with the token: cluster-info every five seconds for five minutes, then
    # kubeadm-config twice a second for one.
    param([hashtable] $Plan)

    $failed = 'error execution phase preflight: couldn''t validate the identity of the API Server'
    if ($Plan.File) {
        if (-not ((Get-Content -LiteralPath $Plan.File -Raw) -match '(?m)^\s*$|:')) { throw "${failed}: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value" }
        $file = Read-HostCredential -LiteralPath $Plan.File
        if (-not $file['server']) { throw "${failed}: the provided kubeconfig file must have at least one Cluster defined" }
        $Plan.Server = $file['server']
        $Plan.Ca = [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($file['certificate-authority-data']))
        if (-not $Plan.Token) { throw 'error execution phase preflight: could not find authentication credentials for the TLS bootstrap process.' }
    }
    for ($passed = 0; ; $passed += 5) {
        $why = Get-HostDiscoveryProblem -Plan $Plan
        if ($why -eq '') { break }
        if ($passed -ge 300) { throw "${failed}: $why" }
        Start-Sleep -Seconds 5
    }
    if ($Plan.Hashes.Count -gt 0) {
        $Plan.Ca = [WinNodeHost.ApiServer]::CaPem
        if ($Plan.Hashes -notcontains [WinNodeHost.ApiServer]::Digest($Plan.Ca)) {
            throw "${failed}: cluster CA found in cluster-info ConfigMap is invalid: none of the public keys were pinned"
        }
        if (-not $script:Machine.Cluster.Tokens[$Plan.Token]) { throw "${failed}: failed to verify JWS signature of received cluster info object, can't trust this API Server" }
    }
    for ($passed = 0; ; $passed += 0.5) {
        $answer = Invoke-HostApi -Token $Plan.Token -Path '/api/v1/namespaces/kube-system/configmaps/kubeadm-config'
        if ($answer.Code -eq 200) { break }
        if ($passed -ge 60) { throw "error execution phase preflight: unable to fetch the kubeadm-config ConfigMap: failed to get config map: $($answer.Text)" }
        Start-Sleep -Seconds 0.5
    }
    $found = [regex]::Match([WinNodeHost.ApiServer]::Get('/api/v1/namespaces/kube-system/configmaps/kubeadm-config'), 'kubernetesVersion: (v1\.(\d+)[^\\]*)')
    $least = (Get-HostKubeadmMinor) - 1
    if ($found.Success -and [int]$found.Groups[2].Value -lt $least) {
        throw "error execution phase preflight: unable to fetch the kubeadm-config ConfigMap: this version of kubeadm only supports deploying clusters with the control plane version >= 1.$least.0. Current version: $($found.Groups[1].Value)"
    }
    $answer = Invoke-HostApi -Token $Plan.Token -Path '/api/v1/namespaces/kube-system/configmaps/kubelet-config'
    if ($answer.Code -ne 200) {
        throw "error execution phase preflight: unable to fetch the kubeadm-config ConfigMap: failed to get component configs: could not download the kubelet configuration from ConfigMap `"kubelet-config`": $($answer.Text)"
    }
}

function Get-HostDiscoveryProblem {
    # What keeps it from cluster-info, or nothing; with a token, the first request accepts any certificate.
    param([hashtable] $Plan)

    $path = '/api/v1/namespaces/kube-public/configmaps/cluster-info'
    $said = if ($Plan.File) { 'Abort reading the cluster-info ConfigMap after timeout of 5m0s:' } else { 'failed to request the cluster-info ConfigMap:' }
    $asked = "$said Get `"$($Plan.Server)${path}?timeout=10s`":"
    if ($Plan.Server -ne $script:Machine.Cluster.Server) { return "$asked connect: no route to host" }
    $answer = Invoke-HostApi -Token '' -Path $path
    if ($answer.Code -eq 0) { return "$asked $($answer.Text)" }
    # A pinned digest is compared later; the days of the certificate count at once.
    $doubt = [WinNodeHost.ApiServer]::Doubt($(if ($Plan.Ca) { $Plan.Ca } else { [WinNodeHost.ApiServer]::CaPem }))
    if ($doubt) { return "$asked $doubt" }
    if ($answer.Code -ne 200) { return "$said $($answer.Text)" }
    if ($Plan.File) { return '' }
    # cluster-info is signed with each token that the cluster knows.
    $id = "$($Plan.Token)".Split('.')[0]
    $known = @($script:Machine.Cluster.Tokens.Keys | Where-Object -FilterScript { $_.StartsWith("$id.") -and $script:Machine.Cluster.Tokens[$_] })
    if ($known.Count -eq 0) { return "could not find a JWS signature in the cluster-info ConfigMap for token ID `"$id`"" }
    ''
}
