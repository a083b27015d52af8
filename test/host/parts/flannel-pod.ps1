# flannel's pod: what the start script of cluster/22-flannel-windows.yaml leaves on the machine. The script itself runs in
# test/artifacts/flannel-pods.test.ts.

function Start-HostFlannelPod {
    # Needs what Install leaves: the CNI plugins and the folder of subnet.env. A network that exists stays, and with it the conf.
    $made = $script:Machine.DaemonSet
    foreach ($path in 'C:\opt\cni\bin\flannel.exe', 'C:\opt\cni\bin\host-local.exe', 'C:\run\flannel') {
        if (-not (Test-Path -LiteralPath $path)) { return }
    }
    $conf = 'C:\etc\cni\net.d\10-flannel.conflist'
    $there = @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -ceq $made['Name'] }).Count -gt 0
    if (-not $there) {
        Remove-Item -LiteralPath $conf -ErrorAction SilentlyContinue
        Add-HostNetwork -Name $made['Name'] -Type $made['Type'] -Subnet '10.244.3.0/26'
    }
    # flanneld, also in a bridge that exists: pkg/backend/hostgw/hostgw_windows.go
    $own = "$($made['Name'])_ep"
    if ($made['Type'] -eq 'L2Bridge' -and @($script:Machine.Endpoints | Where-Object -FilterScript { $_.Name -ceq $own }).Count -eq 0) {
        Add-HostEndpoint -Last 2 -Name $own -Of $made['Name']
    }
    Set-Content -LiteralPath 'C:\run\flannel\subnet.env' -Value 'FLANNEL_SUBNET=10.244.3.1/26', 'FLANNEL_IPMASQ=false'
    $store = "C:\var\lib\cni\networks\$($made['Name'])"
    $owner, $address = if ($made['Type'] -eq 'Overlay') { 'winnode-source-vip', '10.244.3.9' } else { 'winnode-host-endpoint', '10.244.3.2' }
    $null = New-Item -ItemType Directory -Path $store -Force
    Set-Content -LiteralPath "$store\$address" -Value $owner, 'source-vip'
    if (-not (Test-Path -LiteralPath $conf)) {
        Set-Content -LiteralPath $conf -Value "{`"name`":`"$($made['Name'])`",`"plugins`":[{`"type`":`"flannel`"}]}"
        (Get-Item -LiteralPath $conf).LastWriteTimeUtc = Get-HostTime
    }
    Start-HostProxyPod
}
