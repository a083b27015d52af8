# CNI plugins: the environment and the configuration that each of them reads, and how it answers.

# https://github.com/containernetworking/cni/blob/main/pkg/skel/skel.go and pkg/utils/utils.go
$script:CniVersion = '0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'

function Read-HostCniCall {
    # One call, or the words with which a plugin refuses it.
    param([string] $Text)

    $need = @{
        ADD = 'CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME', 'CNI_PATH'; CHECK = 'CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME', 'CNI_PATH'
        DEL = 'CNI_CONTAINERID', 'CNI_IFNAME', 'CNI_PATH'
    }
    $command = "$env:CNI_COMMAND"
    if ($need.ContainsKey($command)) {
        if ($env:CNI_CONTAINERID -and $env:CNI_CONTAINERID -cnotmatch '\A[a-zA-Z0-9][a-zA-Z0-9_.\-]*\z') { throw "invalid characters in containerID; $env:CNI_CONTAINERID" }
        if ("$env:CNI_IFNAME".Length -gt 15) { throw 'interface name is too long; interface name should be less than 16 characters' }
        if ("$env:CNI_IFNAME" -match '[/:\s]') { throw 'interface name contains / or : or whitespace characters' }
        $missing = @($need[$command] | Where-Object -FilterScript { -not [Environment]::GetEnvironmentVariable($_) })
        if ($missing.Count -gt 0) { throw "required env variables [$($missing -join ',')] missing" }
    }
    $conf = ConvertFrom-HostJson -Text $Text
    $name = "$(Get-HostField -Object $conf -Name 'name')"
    if ($name -eq '') { throw 'missing network name' }
    if ($name -cnotmatch '\A[a-zA-Z0-9][a-zA-Z0-9_.\-]*\z') { throw "invalid characters found in network name; $name" }
    if (-not $need.ContainsKey($command)) { throw "unknown CNI_COMMAND: $command" }
    $version = "$(Get-HostField -Object $conf -Name 'cniVersion')"
    if ($version -eq '') { $version = '0.1.0' }
    if ($version -notin $script:CniVersion) {
        $list = @($script:CniVersion | ForEach-Object -Process { "`"$_`"" }) -join ' '
        throw "incompatible CNI versions; config is `"$version`", plugin supports [$list]"
    }
    @{
        Command = $command; Name = $name; Version = $version; Conf = $conf; Wishes = @(Get-HostCniWish -Conf $conf)
        Id = "$env:CNI_CONTAINERID".Trim(); Interface = "$env:CNI_IFNAME"
    }
}

function Get-HostCniWish {
    # Requested addresses: by CNI_ARGS, by args.cni.ips, by the capability ips.
    param([System.Collections.IDictionary] $Conf)

    $ip, $unknown, $ignore = '', @(), $false
    foreach ($pair in @("$env:CNI_ARGS" -split ';' | Where-Object -FilterScript { "$env:CNI_ARGS" -ne '' })) {
        $words = $pair -split '='
        if ($words.Count -ne 2) { throw "ARGS: invalid pair `"$pair`"" }
        if ($words[0] -ceq 'IgnoreUnknown') { $ignore = $words[1] -in '1', 'true' } elseif ($words[0] -ceq 'IP') { $ip = $pair } else { $unknown += "`"$pair`"" }
    }
    if ($ip) {
        $wish = $ip.Substring(3) -replace '/\d+$'
        if ($null -eq (ConvertTo-HostNumber -Text $wish)) { throw "ARGS: error parsing value of pair `"$ip`": invalid IP address $wish" }
        $wish
    }
    if ($unknown.Count -gt 0 -and -not $ignore) { throw "ARGS: unknown args [$($unknown -join ' ')]" }
    $args1 = Get-HostField -Object (Get-HostField -Object (Get-HostField -Object $Conf -Name 'args') -Name 'cni') -Name 'ips'
    $args2 = Get-HostField -Object (Get-HostField -Object $Conf -Name 'runtimeConfig') -Name 'ips'
    foreach ($text in @($args1) + @($args2)) {
        if ($null -eq $text) { continue }
        $wish = $text -replace '/\d+$'
        if ($null -eq (ConvertTo-HostNumber -Text $wish)) { throw "invalid IP address $text" }
        $wish
    }
}

function ConvertTo-HostCniResult {
    # Addresses with their gateways in the form of a version.
    param([string] $Version, [object[]] $Address)

    $result = [ordered]@{ cniVersion = $Version }
    if ($Version -in '0.1.0', '0.2.0') {
        foreach ($one in $Address) { $result[$(if ($one.address -match ':') { 'ip6' } else { 'ip4' })] = [ordered]@{ ip = $one.address; gateway = $one.gateway } }
        return $result
    }
    $result['ips'] = @(foreach ($one in $Address) {
            $entry = [ordered]@{}
            if ($Version -like '0.*') { $entry['version'] = if ($one.address -match ':') { '6' } else { '4' } }
            $entry['address'] = $one.address
            $entry['gateway'] = $one.gateway
            $entry
        })
    $result
}
