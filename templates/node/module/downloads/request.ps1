# Asks a server, over https, through the proxy of the bundle or of the environment.

function Enable-NodeTransportSecurity {
    # Adds TLS 1.2 where .NET was told not to offer it. SystemDefault leaves the choice to Windows, which has
    # 1.2 and 1.3; adding a bit to it would take 1.3 away.
    # https://learn.microsoft.com/dotnet/framework/network-programming/tls
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $manager = [System.Net.ServicePointManager]
    if ([int]$manager::SecurityProtocol -ne 0) {
        $manager::SecurityProtocol = $manager::SecurityProtocol -bor [System.Net.SecurityProtocolType]::Tls12
    }
}

function Get-NodeResponse {
    # The answer of a server, after redirects; each address on the way must be https, or this machine's own.
    [CmdletBinding()]
    [OutputType([System.Net.HttpWebResponse])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [long] $Offset
    )

    Enable-NodeTransportSecurity
    $uri = New-Object -TypeName System.Uri -ArgumentList $Url
    for ($hop = 0; $hop -le $script:Limit.Redirects; $hop++) {
        if ($uri.Scheme -cne 'https' -and -not ($uri.Scheme -ceq 'http' -and $uri.IsLoopback)) {
            throw (New-Object -TypeName System.NotSupportedException -ArgumentList "$uri is not https")
        }
        $request = [System.Net.WebRequest]::Create($uri)
        $request.AllowAutoRedirect = $false
        $request.UserAgent = 'winnode'
        $request.Timeout = 1000 * $script:Limit.ConnectSeconds
        $request.ReadWriteTimeout = 1000 * $script:Limit.ReadSeconds
        $proxy = Get-NodeProxy -Uri $uri
        if ($null -ne $proxy) { $request.Proxy = $proxy }
        if ($Offset -gt 0) { $request.AddRange($Offset) }
        $response = $request.GetResponse()
        if ([int]$response.StatusCode -lt 300) { return $response }
        $place = $response.Headers['Location']
        $response.Close()
        if (-not $place) { throw "$uri answered $([int]$response.StatusCode) without a place" }
        $uri = New-Object -TypeName System.Uri -ArgumentList $uri, $place
    }
    throw (New-Object -TypeName System.NotSupportedException -ArgumentList "$Url leads through too many redirects")
}

function Get-NodeProxySetting {
    # What is said of a proxy: by the bundle, which tells it to containerd, else by the environment.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $said = @{ HTTP_PROXY = $env:HTTP_PROXY; HTTPS_PROXY = $env:HTTPS_PROXY; NO_PROXY = $env:NO_PROXY }
    if ($null -eq $script:Run) { return $said }
    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'service' -or $step['name'] -cne 'containerd') { continue }
        $names = @($step['environment'] | ForEach-Object -Process { $_['name'] })
        if ($names -cnotcontains 'HTTPS_PROXY') { continue }
        $said = @{ HTTP_PROXY = ''; HTTPS_PROXY = ''; NO_PROXY = '' }
        foreach ($pair in $step['environment']) { $said[$pair['name']] = $pair['value']['text'] }
    }
    $said
}

function Get-NodeProxy {
    # The proxy for an address, or $null. .NET Framework reads none from the environment.
    [CmdletBinding()]
    [OutputType([System.Net.WebProxy])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $said = Get-NodeProxySetting
    $address = if ($Uri.Scheme -ceq 'https') { $said['HTTPS_PROXY'] } else { $said['HTTP_PROXY'] }
    if (-not $address -or $Uri.IsLoopback) { return $null }
    foreach ($entry in "$($said['NO_PROXY'])".Split(',')) {
        $suffix = $entry.Trim().TrimStart('.')
        if ($suffix -eq '*' -or ($suffix -and ".$($Uri.Host)".EndsWith(".$suffix", 'OrdinalIgnoreCase'))) {
            return $null
        }
    }
    $proxy = New-Object -TypeName System.Net.WebProxy -ArgumentList $address
    $user = $proxy.Address.UserInfo
    if ($user) {
        $parts = @("${user}:".Split(':') | ForEach-Object -Process { [System.Uri]::UnescapeDataString($_) })
        $proxy.Credentials = New-Object -TypeName System.Net.NetworkCredential -ArgumentList $parts[0], $parts[1]
    }
    $proxy
}
