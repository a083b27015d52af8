# Puts recorded cases of real programs to their stand-ins, and gives what these answer. For tests.

function Invoke-HostLocalCase {
    # One call of host-local over a store: its code, its output, and the store after it.
    param([System.Collections.IDictionary] $Case)

    $folder = "C:\var\lib\cni\networks\$($Case['name'])"
    if (Test-Path -LiteralPath 'C:\var\lib\cni') { Microsoft.PowerShell.Management\Remove-Item -LiteralPath 'C:\var\lib\cni' -Recurse -Force }
    $null = New-Item -ItemType Directory -Path $folder -Force
    $real = Convert-Path -LiteralPath $folder
    foreach ($file in $Case['store'].Keys) { [System.IO.File]::WriteAllText("$real/$file", $Case['store'][$file]) }
    $call = @{
        CNI_COMMAND = $Case['command']; CNI_CONTAINERID = $Case['containerId']; CNI_IFNAME = $Case['ifName']
        CNI_NETNS = 'none'; CNI_PATH = 'C:\opt\cni\bin'; CNI_ARGS = "$($Case['args'])"
    }
    try {
        foreach ($name in $call.Keys) { [Environment]::SetEnvironmentVariable($name, $call[$name]) }
        $answer = Invoke-HostProgram -Name 'host-local' -Argument @() -Text $Case['conf']
    } finally {
        foreach ($name in $call.Keys) { [Environment]::SetEnvironmentVariable($name, $null) }
    }
    $store = @{}
    foreach ($file in Get-ChildItem -LiteralPath $folder -File) {
        if ($file.Name -ne 'lock') { $store[$file.Name] = [System.IO.File]::ReadAllText("$real/$($file.Name)") }
    }
    @{ code = $answer.Code; said = $answer.Out -join "`n"; store = $store }
}

function Invoke-FlannelCase {
    # One start of flanneld as a service, for so many seconds: what the event log says, the network and the file.
    param([System.Collections.IDictionary] $Case, [double] $Seconds = 15)

    $parameters = 'SYSTEM\CurrentControlSet\Services\flanneld'
    $null = New-Item -ItemType Directory -Path 'C:\k', 'C:\etc\kubernetes', 'C:\etc\kube-flannel' -Force
    foreach ($name in 'nssm', 'flanneld') { Set-Content -LiteralPath "C:\k\$name.exe" -Value "program $name.exe" }
    if ('flanneld' -notin @(Get-HostServiceName)) { $null = New-Service -Name flanneld -BinaryPathName 'C:\k\nssm.exe' -StartupType Manual }
    # Also while it starts.
    Complete-HostStop -Name flanneld
    foreach ($file in 'C:\run\flannel\subnet.env', 'C:\etc\kube-flannel\net-conf.json') {
        if (Test-Path -LiteralPath $file) { Microsoft.PowerShell.Management\Remove-Item -LiteralPath $file }
    }
    if ($null -ne $Case['conf']) { [System.IO.File]::WriteAllText((Convert-Path -LiteralPath 'C:\etc\kube-flannel') + '/net-conf.json', $Case['conf']) }
    $kubeconfig = (Get-HostKubeconfig -Token 'token-of-flannel') + $Case['kubeconfig']
    [System.IO.File]::WriteAllText((Convert-Path -LiteralPath 'C:\etc\kubernetes') + '/flannel.conf', $kubeconfig)
    [WinNodeHost.Registry]::Set("$parameters\Parameters", 'Application', 'String', 'C:\k\flanneld.exe')
    [WinNodeHost.Registry]::Set("$parameters\Parameters", 'AppParameters', 'String', $Case['flags'] -join ' ')
    [WinNodeHost.Registry]::Set($parameters, 'Environment', 'MultiString', [string[]]@("NODE_NAME=$($Case['node'])"))
    foreach ($fact in @{ Events = @(); Networks = @(); Endpoints = @(); Moving = $false; Mtu = 1400; Address = '192.0.2.2'; PodSubnet = $Case['subnet']; Network = @{ Address = $Case['late']; Interface = 0 } }.GetEnumerator()) {
        Set-HostFact -Name $fact.Key -Value $fact.Value
    }
    foreach ($node in 'win-1', 'linux-1') { Set-HostNode -Name $node -Ready $true }
    try { Start-Service -Name flanneld } catch { Start-Sleep -Seconds 0 }
    Start-Sleep -Seconds $Seconds
    $file = 'C:\run\flannel\subnet.env'
    @{
        said = @(Get-HostEvent); network = @(Get-HnsNetwork | Where-Object -FilterScript { $null -ne $_ } | ForEach-Object -Process { "$($_.Name) $($_.Type) $($_.Subnets[0].AddressPrefix)" })
        file = if (Test-Path -LiteralPath $file) { Get-Content -LiteralPath $file -Raw } else { '' }
    }
}

function Get-HostEvent {
    # What programs have said since the events were forgotten.
    @($script:Machine.Events)
}

function Reset-HostMember {
    # A machine with a kubelet that may start, a fresh cluster, and nothing of an earlier join.
    foreach ($folder in 'C:\etc\kubernetes', 'C:\var\lib\kubelet') {
        if (Test-Path -LiteralPath $folder) { Microsoft.PowerShell.Management\Remove-Item -LiteralPath $folder -Recurse -Force }
    }
    $null = New-Item -ItemType Directory -Path 'C:\k', 'C:\etc\kubernetes', 'C:\var\lib\kubelet' -Force
    # Recorded from these.
    foreach ($name in 'kubelet', 'kubeadm') { Set-Content -LiteralPath "C:\k\$name.exe" -Value "program $name.exe`nfrom v1.37.1" }
    Set-Content -LiteralPath 'C:\k\own.json' -Value '{"kind": "KubeletConfiguration"}'
    $command = 'C:\k\kubelet.exe --config=C:\k\own.json --kubeconfig=C:\etc\kubernetes\kubelet.conf --cert-dir=C:\var\lib\kubelet\pki' +
    ' --bootstrap-kubeconfig=C:\etc\kubernetes\bootstrap-kubelet.conf --hostname-override=node-a'
    if ('kubelet' -notin @(Get-HostServiceName)) { $null = New-Service -Name kubelet -BinaryPathName $command -StartupType Manual }
    [WinNodeHost.Registry]::Set('SYSTEM\CurrentControlSet\Services\kubelet', 'ImagePath', 'ExpandString', $command)
    Stop-Service -Name kubelet
    [WinNodeHost.ApiServer]::Remove('/api/v1/nodes/node-a')
    foreach ($fact in @{ Events = @(); Faults = @{}; Due = @() }.GetEnumerator()) { Set-HostFact -Name $fact.Key -Value $fact.Value }
    New-HostCluster
    Set-Content -LiteralPath 'C:\etc\kubernetes\discovery.conf' -NoNewline -Value (Get-HostKubeconfig)
}

function Invoke-JoinCase {
    # One kubeadm join: by a discovery file or by token, after what the case has prepared.
    param([System.Collections.IDictionary] $Case)

    $token = if ($null -ne $Case['token']) { $Case['token'] } else { 'abcdef.0123456789abcdef' }
    $join = @{ discovery = @{ tlsBootstrapToken = $token }; nodeRegistration = @{ name = $(if ($Case['name']) { $Case['name'] } else { 'node-a' }) } }
    if ($Case['byToken']) {
        $hash = [WinNodeHost.ApiServer]::Digest([WinNodeHost.ApiServer]::CaPem)
        $join.discovery['bootstrapToken'] = @{ token = $token; apiServerEndpoint = "127.0.0.1:$([WinNodeHost.ApiServer]::Port)"; caCertHashes = @(if ($null -ne $Case['hashes']) { $Case['hashes'] } else { $hash }) }
    } else {
        $join.discovery['file'] = @{ kubeConfigPath = '/etc/kubernetes/discovery.conf' }
    }
    Set-Content -LiteralPath 'C:\k\join.json' -Value (ConvertTo-Json -InputObject $join -Depth 5)
    . ([scriptblock]::Create("$($Case['prepared'])"))
    $before = @(Get-HostMemberFile)
    $at = $script:Machine.Seconds
    $path = $env:Path
    Push-Location -LiteralPath 'C:\'
    try { $env:Path = 'C:\k;C:\Windows'; $answer = Invoke-HostProgram -Name 'kubeadm' -Argument 'join', '--config', 'C:\k\join.json' } finally { $env:Path = $path; Pop-Location }
    @{
        code = $answer.Code; seconds = $script:Machine.Seconds - $at; said = $answer.Err -join "`n"
        left = @(Get-HostMemberFile | Where-Object -FilterScript { $_ -notin $before })
    }
}

function Get-HostMemberFile {
    # Files of a joined node as kubeadm writes them, but for the dated certificate.
    foreach ($folder in 'C:\etc\kubernetes', 'C:\var\lib\kubelet') {
        foreach ($file in Get-ChildItem -LiteralPath $folder -Recurse -File) {
            $path = $file.FullName.Substring((Convert-Path -LiteralPath 'C:\').TrimEnd('/').Length)
            if ($path -notmatch 'kubelet-client-\d') { $path }
        }
    }
}

function Invoke-KubeletCase {
    # One start of the kubelet, watched: when it ended, when kubelet.conf and the certificate came.
    param([System.Collections.IDictionary] $Case)

    Set-HostSwitch -Name 'ServiceIsRecovered' -Value $false
    Set-Content -LiteralPath 'C:\etc\kubernetes\bootstrap-kubelet.conf' -NoNewline -Value (Get-HostKubeconfig -Token 'abcdef.0123456789abcdef')
    . ([scriptblock]::Create("$($Case['prepared'])"))
    $seen = @{ runs = $true; ended = $null; conf = $null; cert = $null }
    $files = @{ conf = 'C:\etc\kubernetes\kubelet.conf'; cert = 'C:\var\lib\kubelet\pki\kubelet-client-current.pem' }
    $there = @($files.Keys | Where-Object -FilterScript { Test-Path -LiteralPath $files[$_] })
    $at = $script:Machine.Seconds
    Start-Service -Name kubelet
    for ($passed = 0; $passed -lt $Case['watch']; $passed = $script:Machine.Seconds - $at) {
        Start-Sleep -Milliseconds $(if ($passed -lt 2) { 200 } else { 2000 })
        foreach ($name in $files.Keys) { if ($name -notin $there -and $null -eq $seen[$name] -and (Test-Path -LiteralPath $files[$name])) { $seen[$name] = $script:Machine.Seconds - $at } }
        if ((Get-Service -Name kubelet).Status -eq 'Stopped') { $seen.runs, $seen.ended = $false, ($script:Machine.Seconds - $at); break }
    }
    $seen['said'] = @(Get-HostEvent) -join "`n"
    $seen
}
