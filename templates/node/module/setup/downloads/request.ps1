# Sends HTTPS requests through the proxy of the bundle or of the environment.

function Enable-NodeTransportSecurity {
    # Adds TLS 1.2 if .NET is configured without it. SystemDefault leaves the choice to Windows, which has 1.2 and
    # 1.3; adding a bit to it would remove 1.3.
    # https://learn.microsoft.com/dotnet/framework/network-programming/tls
    [CmdletBinding()]
    param()

    $manager = [System.Net.ServicePointManager]
    if ([int]$manager::SecurityProtocol -ne 0) {
        $manager::SecurityProtocol = $manager::SecurityProtocol -bor [System.Net.SecurityProtocolType]::Tls12
    }
}

function Get-NodeResponse {
    # The response of a server, after redirects. Each URL must be https, or the local machine; http is accepted for
    # a file whose digest is pinned.
    [CmdletBinding()]
    [OutputType([System.Net.HttpWebResponse])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [long] $Offset,
        [Parameter()] [bool] $Pinned = $false
    )

    Enable-NodeTransportSecurity
    $uri = New-Object -TypeName System.Uri -ArgumentList $Url
    for ($hop = 0; $hop -le $script:Limit.Redirects; $hop++) {
        if ($uri.Scheme -cne 'https' -and -not ($uri.Scheme -ceq 'http' -and ($uri.IsLoopback -or $Pinned))) {
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
        if (-not $place) { throw "${uri}: status $([int]$response.StatusCode) without a Location header" }
        $uri = New-Object -TypeName System.Uri -ArgumentList $uri, $place
    }
    throw (New-Object -TypeName System.NotSupportedException -ArgumentList "${Url}: too many redirects")
}
