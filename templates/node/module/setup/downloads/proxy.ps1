# Selects the proxy for a URL, from the bundle or the environment.

function Get-NodeProxySetting {
    # Proxy settings of the containerd service in the bundle, otherwise of the environment.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $said = @{ HTTP_PROXY = $env:HTTP_PROXY; HTTPS_PROXY = $env:HTTPS_PROXY; NO_PROXY = $env:NO_PROXY }
    if ($null -eq $script:Run) { return $said }
    foreach ($step in Get-NodeKindStep -Kind service -Name 'containerd') {
        $names = @($step['environment'] | ForEach-Object -Process { $_['name'] })
        if ($names -cnotcontains 'HTTPS_PROXY') { continue }
        $said = @{ HTTP_PROXY = ''; HTTPS_PROXY = ''; NO_PROXY = '' }
        foreach ($pair in $step['environment']) { $said[$pair['name']] = $pair['value']['text'] }
    }
    $said
}

function Get-NodeProxy {
    # The proxy for a URL; an empty WebProxy for direct connections; nothing without any setting, so that Windows'
    # own settings apply. .NET Framework does not read the environment.
    [CmdletBinding()]
    [OutputType([System.Net.WebProxy])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $said = Get-NodeProxySetting
    $address = if ($Uri.Scheme -ceq 'https') { $said['HTTPS_PROXY'] } else { $said['HTTP_PROXY'] }
    $direct = $Uri.IsLoopback
    foreach ($entry in "$($said['NO_PROXY'])".Split(',')) {
        if (Test-NodeProxyException -Uri $Uri -Entry $entry.Trim()) { $direct = $true }
    }
    if ($direct) { return New-Object -TypeName System.Net.WebProxy }
    if (-not $address) { return }
    $proxy = New-Object -TypeName System.Net.WebProxy -ArgumentList $address
    $user = $proxy.Address.UserInfo
    if ($user) {
        $parts = @("${user}:".Split(':') | ForEach-Object -Process { [System.Uri]::UnescapeDataString($_) })
        $proxy.Credentials = New-Object -TypeName System.Net.NetworkCredential -ArgumentList $parts[0], $parts[1]
    }
    $proxy
}

function Test-NodeProxyException {
    # Whether an entry of NO_PROXY matches the host of a URL: a CIDR, or a name with its subdomains, either with a
    # port. containerd and this module must interpret the list in the same way.
    # https://github.com/golang/net/blob/master/http/httpproxy/proxy.go
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Uri] $Uri,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Entry
    )

    if ($Entry -eq '*') { return $true }
    $name = $Uri.DnsSafeHost
    if ($Entry -match '/') {
        $four = $name -match '^\d{1,3}(\.\d{1,3}){3}$' -and $Entry -match '^[\d.]+/(\d|[12]\d|3[0-2])$'
        return $four -and (Test-NodeSubnetMember -Subnet (ConvertTo-NodeSubnet -Prefix $Entry) -Address $name)
    }
    if ($Entry -match '^(?<name>\[.+\]|[^:]+):(?<port>\d+)$') {
        if ([string]$Uri.Port -ne $Matches['port']) { return $false }
        $Entry = $Matches['name']
    }
    $suffix = $Entry -replace '[\[\]]' -replace '^\*\.', '.'
    if ($suffix -eq '') { return $false }
    if (-not $suffix.StartsWith('.')) {
        if ($name -eq $suffix) { return $true }
        $suffix = ".$suffix"
    }
    $name.EndsWith($suffix, 'OrdinalIgnoreCase')
}
