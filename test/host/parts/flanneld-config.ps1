# flanneld: its flags, its kubeconfig and net-conf.json, and the words in which it refuses them.

$script:FlannelFlag = @{
    'kube-subnet-mgr' = 'switch'; 'kubeconfig-file' = 'text'; 'iface' = 'text'; 'iface-regex' = 'text'; 'iface-can-reach' = 'text'
    'net-config-path' = 'text'; 'subnet-file' = 'text'; 'ip-masq' = 'switch'; 'iptables-forward-rules' = 'switch'; 'iptables-resync' = 'number'
    'public-ip' = 'text'; 'public-ipv6' = 'text'; 'healthz-ip' = 'text'; 'healthz-port' = 'number'; 'kube-annotation-prefix' = 'text'
    'kube-api-url' = 'text'; 'set-node-network-unavailable' = 'switch'; 'ip-blackhole-route' = 'switch'; 'version' = 'switch'; 'v' = 'number'
    'subnet-lease-renew-margin' = 'number'; 'ip-masq-fully-random-disable' = 'switch'; 'vmodule' = 'text'; 'log_backtrace_at' = 'text'
}

function Read-HostFlannelFlag {
    # What flanneld makes of its command line and of the files that it names, or the words with which it ends at once.
    param([string[]] $Argument, [string] $Name)

    $flags = Read-HostFlag -Argument $Argument -Kind $script:FlannelFlag
    if ($flags['kube-subnet-mgr'] -notmatch '^(1|t|true)$') { return @{ Etcd = $true } }
    $problem = 'Failed to create SubnetManager:'
    try { $login = Assert-HostKubeconfig -LiteralPath "$($flags['kubeconfig-file'])" } catch { throw "$problem fail to create kubernetes config: $_" }
    $node = @(Get-HostServiceValue -Name $Name -Value 'Environment') -match '^NODE_NAME=' -replace '^NODE_NAME='
    if ($node.Count -eq 0 -or $node[0] -eq '') { throw "$problem env variables POD_NAME and POD_NAMESPACE must be set" }
    $path = if ($flags.ContainsKey('net-config-path')) { $flags['net-config-path'] } else { 'C:\etc\kube-flannel\net-conf.json' }
    if (-not (Test-Path -LiteralPath $path)) { throw "$problem failed to read net conf: open ${path}: The system cannot find the file specified." }
    try { $conf = Read-HostFlannelConfig -LiteralPath $path } catch { throw "$problem error parsing subnet config: $_" }
    # Without one it asks PowerShell for the interface of the default route.
    $wanted = if ($flags.ContainsKey('iface')) { $flags['iface'] } else { $script:Machine.Address }
    @{
        Etcd = $false; Conf = $conf; Node = $node[0]; Login = $login; Server = $login.Server; Interface = $wanted; Subnet = ''
        File = if ($flags.ContainsKey('subnet-file')) { $flags['subnet-file'] } else { 'C:\run\flannel\subnet.env' }
        Masquerade = if ($flags['ip-masq'] -match '^(1|t|true)$') { 'true' } else { 'false' }
    }
}

function Read-HostFlannelConfig {
    # net-conf.json. What cannot be parsed ends flanneld at once; the rest is refused later: Late before it looks for
    # its interface, Refusal after it.
    param([string] $LiteralPath)

    $bytes = [System.IO.File]::ReadAllBytes((Convert-Path -LiteralPath $LiteralPath))
    $json = ConvertFrom-HostJson -Text ([System.Text.Encoding]::UTF8.GetString($bytes))
    $network = Get-HostField -Object $json -Name 'Network' -Kind 'string'
    if ($network) {
        $subnet = ConvertTo-HostSubnet -Text $network
        if ($subnet.Bits -ne 32) { throw 'invalid IPv4 CIDR format' }
        $network = '{0}/{1}' -f (ConvertFrom-HostNumber -Number $subnet.First -Bits 32), $subnet.Length
    }
    $backend = Get-HostField -Object $json -Name 'Backend'
    $conf = @{ Network = $network; Name = ''; Type = ''; Late = ''; Refusal = '' }
    if ($null -ne $backend -and $backend -isnot [System.Collections.IDictionary]) {
        throw "error decoding Backend property of config: json: cannot unmarshal $(if ($backend -is [string]) { 'string' } else { 'array' }) into Go value of type struct { Type string }"
    }
    $type = if ($null -eq $backend) { 'udp' } else { "$(Get-HostField -Object $backend -Name 'Type' -Kind 'string')" }
    # Two families end it too: https://github.com/flannel-io/flannel/blob/master/pkg/ipmatch/match.go
    if ($false -eq (Get-HostField -Object $json -Name 'EnableIPv4' -Kind 'bool')) { $conf.Late = 'none defined stack' }
    switch ($type.ToLowerInvariant()) {
        'vxlan' { Read-HostVxlan -Backend $backend -Conf $conf }
        'host-gw' {
            $conf.Type = 'L2Bridge'
            $conf.Name = "$(Get-HostField -Object $backend -Name 'Name' -Kind 'string')"
            if ($conf.Name -eq '') { $conf.Name = 'cbr0' }
        }
        default { $conf.Refusal = "Error fetching backend: unknown backend type: $type" }
    }
    $conf
}

function Read-HostVxlan {
    # The backend vxlan on Windows, in the order in which it is verified.
    param([System.Collections.IDictionary] $Backend, [hashtable] $Conf)

    $problem = 'Error registering network:'
    $bad = "$problem invalid VXLAN backend config."
    $field = @{ VNI = 4096; Port = 4789; MacPrefix = '0E-2A'; Name = ''; DirectRouting = $false; GBP = $false }
    $kinds = @{ VNI = 'number'; Port = 'number'; MacPrefix = 'string'; Name = 'string'; DirectRouting = 'bool'; GBP = 'bool' }
    try {
        foreach ($name in @($field.Keys)) {
            $value = Get-HostField -Object $Backend -Name $name -Kind $kinds[$name]
            if ($null -ne $value) { $field[$name] = $value }
        }
    } catch {
        $Conf.Refusal = "$problem error decoding VXLAN backend config: $_"
        return
    }
    $Conf.Type = 'Overlay'
    $Conf.Name = if ($field.Name -ne '') { $field.Name } else { "flannel.$($field.VNI)" }
    if ($field.VNI -lt 4096) {
        $Conf.Refusal = "$bad VNI [$($field.VNI)] must be greater than or equal to 4096 on Windows"
    } elseif ($field.Port -ne 4789) {
        $Conf.Refusal = "$bad Port [$($field.Port)] is not supported on Windows. Omit the setting to default to port 4789"
    } elseif ($field.DirectRouting) {
        $Conf.Refusal = "$bad DirectRouting is not supported on Windows"
    } elseif ($field.GBP) {
        $Conf.Refusal = "$bad GBP is not supported on Windows"
    } elseif ($field.MacPrefix -cnotmatch '\A..-..\z') {
        $Conf.Refusal = "${bad}MacPrefix [$($field.MacPrefix)] is invalid, prefix must be of the format xx-xx e.g. 0E-2A"
    }
}
