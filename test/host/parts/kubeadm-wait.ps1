# kubeadm join: what it waits for once it has started the kubelet, and for how long.

function Wait-HostBootstrap {
    # Four minutes for a kubelet that answers, then five for a kubeconfig that leads to a certificate; below 1.30
    # both at once, the kubelet from 40 s on and five times in all. Below 1.34 it then writes to its Node.
    param([hashtable] $Call, [string] $Name)

    $minor = Get-HostKubeadmMinor
    if ($minor -lt 30) {
        Wait-HostOldBootstrap -Call $Call
    } else {
        $Call.Out += '[kubelet-check] Waiting for a healthy kubelet at http://127.0.0.1:10248/healthz. This can take up to 4m0s'
        Start-Sleep -Seconds 1
        for ($passed = 1; -not (Test-HostHealthy); $passed++) {
            if ($passed -ge 240) {
                throw 'error execution phase kubelet-wait-bootstrap: failed while waiting for the kubelet to start: The HTTP call equal to ''curl -sSL http://127.0.0.1:10248/healthz'' returned error: context deadline exceeded'
            }
            Start-Sleep -Seconds 1
        }
        $Call.Out += '[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap'
        for ($passed = 0; -not (Test-HostBootstrapped); $passed++) {
            if ($passed -ge 300) { throw 'error execution phase kubelet-wait-bootstrap: failed while waiting for TLS bootstrap: context deadline exceeded' }
            Start-Sleep -Seconds 1
        }
    }
    if ($minor -ge 34) { return }
    # As the kubelet, which may read no other Node than its own.
    for ($passed = 0; -not ([WinNodeHost.ApiServer]::Get("/api/v1/nodes/$Name")); $passed++) {
        if ($passed -ge 60) { throw "error execution phase kubelet-start: error writing CRISocket for this node: nodes `"$Name`" is forbidden" }
        Start-Sleep -Seconds 1
    }
}

function Wait-HostOldBootstrap {
    # How it waited below 1.30.
    param([hashtable] $Call)

    $Call.Out += '[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap...'
    $looks = 40, 45, 55, 75, 115
    for ($passed = 0; -not (Test-HostBootstrapped); $passed += 5) {
        if ($passed -in $looks -and (Test-HostHealthy)) { $looks = @() }
        if ($passed -eq $looks[-1] -or $passed -ge 300) { throw 'error execution phase kubelet-start: timed out waiting for the condition' }
        Start-Sleep -Seconds 5
    }
}

function Test-HostBootstrapped {
    # Whether kubelet.conf leads to a certificate.
    $file = Read-HostCredential -LiteralPath 'C:\etc\kubernetes\kubelet.conf'
    $null -ne $file -and (Test-HostCertificate -LiteralPath $file['client-certificate'])
}

function Test-HostHealthy {
    # Whether the kubelet answers at its port: not in its first moments, in which it may still end.
    $since = $script:Machine.Running['kubelet']
    $null -ne $since -and $script:Machine.Seconds - $since -ge 0.8
}
