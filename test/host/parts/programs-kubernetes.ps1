# Programs of Kubernetes: kubeadm, crictl and ctr.

Add-HostProgram -Name 'crictl' -Body {
    # Asks a containerd that must run; digests come back as name@digest.
    param($Call)
    $words = @($Call.Argument | Select-Object -Skip 4)
    if (-not $script:Machine.Running.ContainsKey('containerd')) {
        throw 'validate service connection: open \\.\pipe\containerd-containerd: The system cannot find the file specified.'
    }
    switch ($words[0]) {
        'images' {
            $images = @(foreach ($image in $script:Machine.Images) {
                    $digest = $image.Contains('@')
                    @{ id = "sha256:$image"; repoTags = @(if (-not $digest) { $image }); repoDigests = @(if ($digest) { $image -replace ':[^:/@]+@', '@' }) }
                })
            $Call.Out += ConvertTo-Json -InputObject @{ images = $images } -Depth 4 -Compress
        }
        'pull' {
            Assert-HostHealth -On 'crictl pull'
            Add-HostCall -Text "crictl pull $($words[1])"
            $script:Machine.Images += $words[1]
            $Call.Out += "Image is up to date for $($words[1])"
        }
        'pods' { $Call.Out += ConvertTo-Json -InputObject @{ items = @($script:Machine.Pods) } -Depth 5 -Compress }
        'rmp' { $script:Machine.Pods = @() }
        'rmi' { $script:Machine.Images = @() }
        default { throw "No help topic for '$($words[0])'" }
    }
}

Add-HostProgram -Name 'ctr' -Body {
    param($Call)
    $Call.Out += @()
}

Add-HostProgram -Name 'kubeadm' -Body {
    # Its preflight refuses what an earlier join left; it wants the service kubelet, starts it, and waits.
    # https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/
    param($Call)
    if ($Call.Argument.Count -ne 3 -or $Call.Argument[0] -ne 'join' -or $Call.Argument[1] -ne '--config') {
        throw 'can not mix ''--config'' with arguments'
    }
    if ((Get-Location).Path -notmatch '^C:[\\/]$') { throw 'its paths have no drive: C:\ must be the current folder' }
    $Call.Err += '[preflight] Running pre-flight checks'
    $conf = Get-Content -LiteralPath $Call.Argument[2] -Raw | ConvertFrom-Json
    $problems = @(
        foreach ($file in 'C:\etc\kubernetes\kubelet.conf', 'C:\etc\kubernetes\bootstrap-kubelet.conf', 'C:\etc\kubernetes\pki\ca.crt') {
            if (Test-Path -LiteralPath $file) { "[ERROR FileAvailable]: $file already exists" }
        }
        if ($script:Machine.Running.ContainsKey('kubelet')) { '[ERROR Port-10250]: Port 10250 is in use' }
        if ('kubelet' -notin @(Get-HostServiceName)) { '[ERROR Service-kubelet]: the service kubelet does not exist' }
    )
    if ($problems.Count -gt 0) { throw "[preflight] Some fatal errors occurred: $($problems -join '; ')" }
    $token = $conf.discovery.tlsBootstrapToken
    if ($null -ne $script:Machine.Cluster -and $token -ne $script:Machine.Cluster.Token) { throw 'error execution phase preflight: Unauthorized' }
    Assert-HostHealth -On 'kubeadm discovery'
    Set-Content -LiteralPath 'C:\etc\kubernetes\bootstrap-kubelet.conf' -Value "users:`n- user:`n    token: $token"
    $null = New-Item -ItemType Directory -Path 'C:\etc\kubernetes\pki' -Force
    Set-Content -LiteralPath 'C:\etc\kubernetes\pki\ca.crt' -Value "-----BEGIN CERTIFICATE-----`nca`n-----END CERTIFICATE-----"
    Assert-HostHealth -On 'kubeadm kubelet-start'
    $null = New-Item -ItemType Directory -Path 'C:\var\lib\kubelet' -Force
    Set-Content -LiteralPath 'C:\var\lib\kubelet\config.yaml' -Value 'kind: KubeletConfiguration'
    Set-Content -LiteralPath 'C:\var\lib\kubelet\kubeadm-flags.env' -Value 'KUBELET_KUBEADM_ARGS=""'
    Start-HostService -Name 'kubelet'
    for ($second = 0; $second -lt 40 -and -not (Test-Path -LiteralPath 'C:\etc\kubernetes\kubelet.conf'); $second++) { Start-Sleep -Seconds 1 }
    if (-not (Test-Path -LiteralPath 'C:\etc\kubernetes\kubelet.conf')) { throw 'timed out waiting for the kubelet to bootstrap' }
    Assert-HostHealth -On 'kubeadm end'
    $Call.Out += 'This node has joined the cluster'
}
