# What programs do that run as services: by name, as far as the scripts can see it.

# Fails where the program would end at once. What takes time is planned for later.
$script:Daemon = @{
    containerd   = {
        param($Arguments)
        $config = Get-HostArgument -Argument $Arguments -Name '--config'
        if ($config -and -not (Test-Path -LiteralPath $config)) { throw "containerd: failed to load TOML: $config" }
        if ($script:Machine.Features['Containers'] -ne 'Installed') { throw 'containerd: the compute service is not there' }
    }
    kubelet      = {
        param($Arguments)
        $bootstrap = Get-HostArgument -Argument $Arguments -Name '--bootstrap-kubeconfig'
        $kubeconfig = Get-HostArgument -Argument $Arguments -Name '--kubeconfig'
        $config = Get-HostArgument -Argument $Arguments -Name '--config'
        if (-not (Test-Path -LiteralPath $config)) { throw "failed to load Kubelet config file $config" }
        if (Test-Path -LiteralPath $kubeconfig) { return }
        if (-not $bootstrap -or -not (Test-Path -LiteralPath $bootstrap)) {
            throw 'unable to load bootstrap kubeconfig: stat C:\etc\kubernetes\bootstrap-kubelet.conf: no such file'
        }
        Add-HostDue -After 3 -Name bootstrap -Subject ($kubeconfig + '|' + (Get-HostArgument -Argument $Arguments -Name '--cert-dir'))
    }
    'kube-proxy' = {
        param($Arguments)
        $config = Get-HostArgument -Argument $Arguments -Name '--config'
        $document = Get-Content -LiteralPath $config -Raw | ConvertFrom-Json
        $kubeconfig = $document.clientConnection.kubeconfig
        if (-not (Test-Path -LiteralPath $kubeconfig)) { throw "kube-proxy: stat ${kubeconfig}: no such file" }
        $network = @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $document.winkernel.networkName })
        if ($network.Count -eq 0) { throw "kube-proxy: there is no network $($document.winkernel.networkName)" }
        if ($network[0].Type -eq 'Overlay' -and -not $document.winkernel.sourceVip) { throw 'kube-proxy: source-vip flag not set' }
        $script:Machine.PolicyLists = @(@{ ID = 'list-1'; State = 1; References = '' })
    }
    flanneld     = {
        param($Arguments)
        $kubeconfig = Get-HostArgument -Argument $Arguments -Name '--kubeconfig-file'
        if (-not (Test-Path -LiteralPath $kubeconfig)) { throw "flanneld: stat ${kubeconfig}: no such file" }
        $conf = Get-HostArgument -Argument $Arguments -Name '--net-config-path'
        $backend = (Get-Content -LiteralPath $conf -Raw | ConvertFrom-Json).Backend
        $file = Get-HostArgument -Argument $Arguments -Name '--subnet-file'
        $name = if ($backend.PSObject.Properties['Name']) { $backend.Name } elseif ($backend.Type -eq 'vxlan') { "flannel.$($backend.VNI)" } else { 'cbr0' }
        Add-HostDue -After 4 -Name network -Subject "$name|$($backend.Type)|$file"
    }
}

$script:Happening['bootstrap'] = {
    # The control plane signs the kubelet's certificate.
    param($Subject)
    $kubeconfig, $folder = $Subject.Split('|')
    if ($null -ne $script:Machine.Cluster -and $script:Machine.Cluster.Refuses) { return }
    $null = New-Item -ItemType Directory -Path $folder -Force
    Set-Content -LiteralPath "$folder\kubelet-client-current.pem" -Value "-----BEGIN EC PRIVATE KEY-----`nprivate`n-----END EC PRIVATE KEY-----"
    Set-Content -LiteralPath $kubeconfig -Value "users:`n- user:`n    client-certificate: $folder\kubelet-client-current.pem"
}

$script:Happening['network'] = {
    # flanneld has its subnet and makes the network; where it is there already, it is kept.
    param($Subject)
    $name, $type, $file = $Subject.Split('|')
    if (-not $script:Machine.Running.ContainsKey('flanneld')) { return }
    $gateway = $script:Machine.PodSubnet -replace '0/', '1/'
    $null = New-Item -ItemType Directory -Path (Split-Path -Path $file) -Force
    Set-Content -LiteralPath $file -Value "FLANNEL_NETWORK=10.244.0.0/16`nFLANNEL_SUBNET=$gateway`nFLANNEL_MTU=1450`nFLANNEL_IPMASQ=false"
    if (@($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $name }).Count -gt 0) { return }
    $kind = if ($type -eq 'vxlan') { 'Overlay' } else { 'L2Bridge' }
    $script:Machine.Networks += @{ Name = $name; Type = $kind; ID = "id-$name"; Subnet = $script:Machine.PodSubnet }
    $script:Machine.Endpoints += @{ ID = "endpoint-$name"; Name = "${name}_ep"; Type = $kind; IPAddress = '10.244.3.2'; VirtualNetwork = "id-$name"; VirtualNetworkName = $name; State = 1 }
}

function Get-HostArgument {
    # The value of a flag: --name=value or --name value.
    param([string[]] $Argument, [string] $Name)

    for ($index = 0; $index -lt $Argument.Count; $index++) {
        if ($Argument[$index].StartsWith("$Name=")) { return $Argument[$index].Substring($Name.Length + 1) }
        if ($Argument[$index] -eq $Name -and $index + 1 -lt $Argument.Count) { return $Argument[$index + 1] }
    }
    ''
}

function Split-HostCommandLine {
    # A command line taken apart as Windows does; a path with a space and no quotes falls apart.
    # https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
    param([string] $Text)

    foreach ($match in [regex]::Matches($Text, '(?:"(?:[^"\\]|\\.)*"|[^\s"])+')) {
        $match.Value -replace '"', '' -replace '\\\\$', '\'
    }
}

function Assert-HostProgram {
    # Fails where a file is missing or is no program, as Windows does.
    param([string] $Path)

    if (-not (Test-Path -LiteralPath $Path)) { throw "The system cannot find the file specified: $Path" }
    $first = Get-Content -LiteralPath $Path -TotalCount 1
    if ("$first" -notmatch '^program ') { throw "$Path is not a valid Win32 application." }
}

function Start-HostDaemon {
    # Runs a service's program; one under a wrapper or a log runner by the program that those run.
    param([string] $Name)

    $command = @(Split-HostCommandLine -Text (Get-HostServiceValue -Name $Name -Value 'ImagePath'))
    if ($command[0] -match 'svchost\.exe$') { return }
    Assert-HostProgram -Path $command[0]
    if ($command[0].EndsWith('\nssm.exe')) {
        $inner = Get-HostServiceValue -Name $Name -Below 'Parameters' -Value 'Application'
        $rest = Split-HostCommandLine -Text "$(Get-HostServiceValue -Name $Name -Below 'Parameters' -Value 'AppParameters')"
        $command = @($inner) + @($rest)
        $log = Get-HostServiceValue -Name $Name -Below 'Parameters' -Value 'AppStdout'
        if ($log -and -not (Test-Path -LiteralPath (Split-Path -Path $log))) { throw "there is no folder for $log" }
    } elseif ($command[0].EndsWith('\kube-log-runner.exe')) {
        $log = Get-HostArgument -Argument $command -Name '-log-file'
        if (-not (Test-Path -LiteralPath (Split-Path -Path $log))) { throw "there is no folder for $log" }
        $start = 1
        while ($command[$start].StartsWith('-')) { $start++ }
        $command = $command[$start..($command.Count - 1)]
    }
    Assert-HostProgram -Path $command[0]
    $program = $command[0].Substring($command[0].LastIndexOf('\') + 1) -replace '\.exe$'
    $daemon = $script:Daemon[$program]
    if ($null -eq $daemon) { throw "$program does not answer the service manager" }
    & $daemon -Arguments @($command | Select-Object -Skip 1)
}
