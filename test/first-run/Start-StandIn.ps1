#Requires -Version 5.1
<#
    .SYNOPSIS
        Answers on 127.0.0.1 as an API server with one Windows node, for a first run without a cluster.

    .DESCRIPTION
        Enough for kubelet, flanneld, kube-proxy and kubectl: it keeps the objects that they write in memory, gives
        the Node its pod CIDR, and has the Services kubernetes and kube-dns. It schedules no pods, signs no
        certificates and checks no credentials: for a test machine only, and only on the loopback address.

        Writes to -Folder: ca.crt, and kubelet.conf with a client certificate. The file ready is written last. The
        file version there has the version that it reports.
        Measure-WinNode.ps1 starts it, and ends it by its process.

    .EXAMPLE
        .\Start-StandIn.ps1 -Folder C:\stand-in -NodeName node-a -Minutes 60

        Answers for an hour.
#>
[Diagnostics.CodeAnalysis.SuppressMessageAttribute(
    'PSReviewUnusedParameter', '', Justification = 'the functions below read them')]
[CmdletBinding()]
param(
    # Folder for the credentials, which must exist.
    [Parameter(Mandatory = $true)]
    [string]
    $Folder,

    # Name of the Node, in its certificate too.
    [Parameter(Mandatory = $true)]
    [string]
    $NodeName,

    # Port on the loopback address.
    [Parameter()]
    [int]
    $Port = 6443,

    # It ends after this time at the latest.
    [Parameter()]
    [int]
    $Minutes = 120
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function ConvertTo-NodeDer {
    # An element of DER: its tag, length and content.
    param([byte] $Tag, [byte[]] $Content)

    $length = $Content.Length
    $head = if ($length -lt 128) { , [byte]$length } elseif ($length -lt 256) { [byte[]](0x81, $length) } else {
        [byte[]](0x82, [Math]::Floor($length / 256), ($length % 256))
    }
    [byte[]](@($Tag) + $head + $Content)
}

function ConvertTo-NodePem {
    # Text with the label of its content.
    param([string] $Label, [byte[]] $Content)

    $lines = [regex]::Replace([System.Convert]::ToBase64String($Content), '(.{1,64})', "`$1`n")
    "-----BEGIN $Label-----`n$lines-----END $Label-----`n"
}

function ConvertTo-NodeKeyPem {
    # A private key as PKCS 1, which .NET Framework does not export.
    # https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1.2
    param([System.Security.Cryptography.RSA] $Key)

    [System.Security.Cryptography.RSAParameters] $all = $Key.ExportParameters($true)
    $public = @([byte[]]@(0), $all.Modulus, $all.Exponent)
    $numbers = $public + @($all.D, $all.P, $all.Q, $all.DP, $all.DQ, $all.InverseQ)
    $content = foreach ($number in $numbers) {
        $bytes = $number
        # A number is positive, and as short as possible.
        while ($bytes.Length -gt 1 -and $bytes[0] -eq 0 -and $bytes[1] -lt 128) {
            $bytes = [byte[]]@($bytes | Select-Object -Skip 1)
        }
        if ($bytes[0] -ge 128) { $bytes = [byte[]](@(0) + $bytes) }
        ConvertTo-NodeDer -Tag 2 -Content $bytes
    }
    ConvertTo-NodePem -Label 'RSA PRIVATE KEY' -Content (ConvertTo-NodeDer -Tag 0x30 -Content $content)
}

function ConvertTo-NodeRequest {
    # A request for a certificate, with a new key.
    param([string] $Subject, [System.Security.Cryptography.RSA] $Key)

    $sha = [System.Security.Cryptography.HashAlgorithmName]::SHA256
    $padding = [System.Security.Cryptography.RSASignaturePadding]::Pkcs1
    $type = 'System.Security.Cryptography.X509Certificates.CertificateRequest'
    New-Object -TypeName $type -ArgumentList $Subject, $Key, $sha, $padding
}

function Initialize-NodeAuthority {
    # A CA for one day, and what it signs.
    $from = [System.DateTimeOffset]::UtcNow.AddMinutes(-5)
    $until = $from.AddDays(1)
    $key = [System.Security.Cryptography.RSA]::Create(2048)
    $request = ConvertTo-NodeRequest -Subject 'CN=winnode-stand-in' -Key $key
    $type = 'System.Security.Cryptography.X509Certificates.X509BasicConstraintsExtension'
    $request.CertificateExtensions.Add((New-Object -TypeName $type -ArgumentList $true, $false, 0, $true))
    $use = 'System.Security.Cryptography.X509Certificates.X509KeyUsageExtension'
    $flags = 'KeyCertSign, DigitalSignature'
    $request.CertificateExtensions.Add((New-Object -TypeName $use -ArgumentList $flags, $true))
    @{ Certificate = $request.CreateSelfSigned($from, $until); From = $from; Until = $until }
}

function Get-NodeSigned {
    # A certificate of the CA and its key; for a server with its address.
    param([hashtable] $Authority, [string] $Subject, [byte] $Serial, [switch] $Server)

    $key = [System.Security.Cryptography.RSA]::Create(2048)
    $request = ConvertTo-NodeRequest -Subject $Subject -Key $key
    if ($Server) {
        $names = New-Object -TypeName System.Security.Cryptography.X509Certificates.SubjectAlternativeNameBuilder
        $names.AddIpAddress([System.Net.IPAddress]::Loopback)
        $names.AddDnsName('localhost')
        $request.CertificateExtensions.Add($names.Build())
    }
    $certificate = $request.Create($Authority.Certificate, $Authority.From, $Authority.Until, [byte[]](1, $Serial))
    @{ Certificate = $certificate; Key = $key }
}

function ConvertTo-NodeServerCertificate {
    # TLS of Windows takes no key that exists in memory only: through a PKCS 12.
    # https://github.com/dotnet/runtime/issues/23749
    param([hashtable] $Signed)

    $extensions = [System.Security.Cryptography.X509Certificates.RSACertificateExtensions]
    $whole = $extensions::CopyWithPrivateKey($Signed.Certificate, $Signed.Key)
    $word = "$([System.Guid]::NewGuid())"
    $type = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
    New-Object -TypeName $type -ArgumentList $whole.Export('Pfx', $word), $word, 'DefaultKeySet'
}

function Write-NodeCredential {
    # The CA, and the kubelet's kubeconfig.
    param([hashtable] $Authority)

    $ca = ConvertTo-NodePem -Label 'CERTIFICATE' -Content $Authority.Certificate.RawData
    $own = Get-NodeSigned -Authority $Authority -Subject "O=system:nodes, CN=system:node:$NodeName" -Serial 2
    $certificate = ConvertTo-NodePem -Label 'CERTIFICATE' -Content $own.Certificate.RawData
    $encode = { param($Text) [System.Convert]::ToBase64String([System.Text.Encoding]::ASCII.GetBytes($Text)) }
    $cluster = @{ 'server' = "https://127.0.0.1:$Port"; 'certificate-authority-data' = & $encode $ca }
    $user = @{
        'client-certificate-data' = & $encode $certificate
        'client-key-data'         = & $encode (ConvertTo-NodeKeyPem -Key $own.Key)
    }
    $config = [ordered]@{
        'apiVersion'      = 'v1'
        'kind'            = 'Config'
        'clusters'        = @(@{ name = 'stand-in'; cluster = $cluster })
        'users'           = @(@{ name = 'node'; user = $user })
        'contexts'        = @(@{ name = 'node'; context = @{ cluster = 'stand-in'; user = 'node' } })
        'current-context' = 'node'
    }
    Set-Content -LiteralPath "$Folder/ca.crt" -Value $ca.TrimEnd() -Encoding Ascii
    $text = ConvertTo-Json -InputObject $config -Depth 6
    Set-Content -LiteralPath "$Folder/kubelet.conf" -Value $text -Encoding Ascii
}

# Objects as JSON by their paths, and the number of the last change.
$script:Object = @{}
$script:Change = 1

function Save-NodeObject {
    # Keeps an object with what an API server adds to it.
    param([string] $Path, [object] $Value)

    $script:Change++
    if (-not $Value.PSObject.Properties['metadata']) {
        Add-NodeProperty -Of $Value -Name 'metadata' -Value ('{}' | ConvertFrom-Json)
    }
    $name = $Path.Substring($Path.LastIndexOf('/') + 1)
    $now = [System.DateTime]::UtcNow.ToString('yyyy-MM-ddTHH:mm:ssZ')
    $add = [ordered]@{ name = $name; uid = "$([System.Guid]::NewGuid())"; creationTimestamp = $now }
    foreach ($one in @($add.Keys)) {
        $has = $Value.metadata.PSObject.Properties[$one]
        if ($null -ne $has -and $null -ne $has.Value) { continue }
        Add-NodeProperty -Of $Value.metadata -Name $one -Value $add[$one]
    }
    Add-NodeProperty -Of $Value.metadata -Name 'resourceVersion' -Value "$script:Change"
    $script:Object[$Path] = $Value
    $Value
}

function Add-NodeProperty {
    # Sets a property, whether the object has it or not.
    param([object] $Of, [string] $Name, [object] $Value)

    Add-Member -InputObject $Of -MemberType NoteProperty -Name $Name -Value $Value -Force
}

function Test-NodeMap {
    # Whether a value is a JSON object.
    param([object] $Value)

    $Value -is [System.Management.Automation.PSCustomObject]
}

function Join-NodePatch {
    # A strategic merge patch, as far as kubelet and flanneld use it: maps by key, null removes, conditions and
    # addresses by their type; other lists replace.
    # https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/
    param([object] $Of, [object] $Patch)

    foreach ($property in @($Patch.PSObject.Properties)) {
        $name, $value = $property.Name, $property.Value
        if ($name.StartsWith('$')) { continue }
        $before = $Of.PSObject.Properties[$name]
        if ($null -eq $value) {
            $Of.PSObject.Properties.Remove($name)
        } elseif ($null -ne $before -and (Test-NodeMap -Value $before.Value) -and (Test-NodeMap -Value $value)) {
            Join-NodePatch -Of $before.Value -Patch $value
        } elseif ($null -ne $before -and @('conditions', 'addresses') -ccontains $name) {
            $all = @($before.Value)
            foreach ($item in @($value)) {
                $same = @($all | Where-Object -FilterScript { $_.type -ceq $item.type })
                if ($same.Count -gt 0) { Join-NodePatch -Of $same[0] -Patch $item } else { $all += $item }
            }
            Add-NodeProperty -Of $Of -Name $name -Value $all
        } else {
            Add-NodeProperty -Of $Of -Name $name -Value $value
        }
    }
}

function Get-NodeTemplate {
    # The Node as the kubelet registers it. Its request may be protobuf, so only the name of it is known.
    $text = '{"apiVersion":"v1","kind":"Node","metadata":{"labels":{"kubernetes.io/os":"windows"}},' +
    '"spec":{"podCIDR":"10.244.9.0/24","podCIDRs":["10.244.9.0/24"]},"status":{"conditions":[],"addresses":[]}}'
    $text | ConvertFrom-Json
}

# Services that winnode compares with HNS; the pods behind them are on a node that does not exist.
$script:Service = @(
    @{ Space = 'default'; Name = 'kubernetes'; Address = '10.96.0.1'; Behind = '10.244.8.2'; Ports = @('TCP 443') }
    @{
        Space = 'kube-system'; Name = 'kube-dns'; Address = '10.96.0.10'; Behind = '10.244.8.3'
        Ports = @('UDP 53', 'TCP 53')
    }
)

function Initialize-NodeService {
    # Each Service with its EndpointSlice.
    foreach ($row in $script:Service) {
        $ports = @(foreach ($port in $row.Ports) {
                $protocol, $number = $port.Split(' ')
                @{ name = $port.ToLowerInvariant().Replace(' ', '-'); protocol = $protocol; port = [int]$number }
            })
        $service = @{
            apiVersion = 'v1'
            kind       = 'Service'
            metadata   = @{ namespace = $row.Space }
            spec       = @{
                clusterIP = $row.Address; clusterIPs = @($row.Address); type = 'ClusterIP'; ports = $ports
                ipFamilies = @('IPv4'); sessionAffinity = 'None'
            }
        }
        $ready = @{ ready = $true; serving = $true; terminating = $false }
        $slice = @{
            apiVersion  = 'discovery.k8s.io/v1'
            kind        = 'EndpointSlice'
            addressType = 'IPv4'
            metadata    = @{ namespace = $row.Space; labels = @{ 'kubernetes.io/service-name' = $row.Name } }
            endpoints   = @(@{ addresses = @($row.Behind); conditions = $ready })
            ports       = $ports
        }
        $discovery = '/apis/discovery.k8s.io/v1'
        $wanted = @{
            "/api/v1/namespaces/$($row.Space)/services/$($row.Name)"          = $service
            "$discovery/namespaces/$($row.Space)/endpointslices/$($row.Name)" = $slice
        }
        foreach ($path in $wanted.Keys) {
            $value = ConvertTo-Json -InputObject $wanted[$path] -Depth 8 | ConvertFrom-Json
            $null = Save-NodeObject -Path $path -Value $value
        }
    }
}

function Read-NodeRequest {
    # The first line, the type of the body, and the body.
    param([System.IO.Stream] $Stream)

    $buffer = New-Object -TypeName byte[] -ArgumentList 65536
    $text, $size = '', 0
    $latin = [System.Text.Encoding]::GetEncoding(28591)
    do {
        $read = $Stream.Read($buffer, 0, $buffer.Length)
        if ($read -le 0) { throw 'the connection was closed' }
        $text += $latin.GetString($buffer, 0, $read)
        $end = $text.IndexOf("`r`n`r`n")
        if ($text.Length -gt 8MB) { throw 'the request is too large' }
        $length = [regex]::Match($text, '(?im)^Content-Length: *(\d+)')
        $size = if ($length.Success) { [long]$length.Groups[1].Value } else { 0 }
    } until ($end -ge 0 -and $text.Length -ge $end + 4 + $size)
    $words = $text.Substring(0, $text.IndexOf("`r`n")).Split(' ')
    $path, $query = "$($words[1])?".Split('?')
    @{
        Verb = $words[0]; Path = $path; Watches = "$query" -match 'watch=(true|1)'
        Type = [regex]::Match($text, '(?im)^Content-Type: *([^;\r]*)').Groups[1].Value
        Body = [System.Text.Encoding]::UTF8.GetString($latin.GetBytes($text.Substring($end + 4)))
    }
}

function Get-NodePlace {
    # The path of an object without its subresource, and whether a collection is meant.
    param([string] $Path)

    $parts = @($Path.Trim('/').Split('/'))
    $first = if ($parts[0] -ceq 'api') { 2 } else { 3 }
    $rest = @($parts | Select-Object -Skip $first)
    # /namespaces/NAMESPACE/RESOURCE/NAME, or /RESOURCE/NAME.
    $named = if ($rest.Count -gt 2 -and $rest[0] -ceq 'namespaces') { 4 } else { 2 }
    @{
        Path       = '/' + (@($parts | Select-Object -First ($first + $named)) -join '/')
        Collection = $rest.Count -eq $named - 1
        Resource   = if ($rest.Count -ge $named - 1 -and $rest.Count -gt 0) { $rest[$named - 2] } else { '' }
    }
}

function Get-NodeVersion {
    # The version in the file; without it, none that a kubelet may have.
    $file = "$Folder/version"
    $text = '1.0.0'
    if (Test-Path -LiteralPath $file) { $text = "$(Get-Content -LiteralPath $file -TotalCount 1)" }
    @{ major = '1'; minor = $text.Split('.')[1]; gitVersion = "v$text" }
}

function Get-NodeList {
    # A collection: of one namespace, or of all.
    param([string] $Path, [string] $Resource)

    $group = [regex]::Match($Path, '^.*?/v1[^/]*').Value
    $all = @($script:Object.Keys | Sort-Object)
    $paths = @($all | Where-Object -FilterScript { $_.StartsWith("$group/") -and $_.Contains("/$Resource/") })
    $items = @($paths | ForEach-Object -Process { $script:Object[$_] })
    [ordered]@{ metadata = @{ resourceVersion = "$script:Change" }; items = $items }
}

function Get-NodeAnswer {
    # Code and value for a request.
    param([hashtable] $Request)

    if ($Request.Path -ceq '/version') { return @{ Code = 200; Value = Get-NodeVersion } }
    if (@('/livez', '/readyz', '/healthz') -ccontains $Request.Path) { return @{ Code = 200; Value = 'ok' } }
    $missing = @{
        Code  = 404
        Value = @{
            kind = 'Status'; apiVersion = 'v1'; status = 'Failure'; reason = 'NotFound'; code = 404
            message = 'not found'
        }
    }
    $place = Get-NodePlace -Path $Request.Path
    if ($place.Resource -eq '') { return $missing }
    $known = $script:Object[$place.Path]
    if ($Request.Verb -ceq 'GET') {
        if ($place.Collection) { $known = Get-NodeList -Path $Request.Path -Resource $place.Resource }
        if ($null -eq $known) { return $missing }
        return @{ Code = 200; Value = $known }
    }
    $sent = if ($Request.Type -like '*json*' -and $Request.Body -ne '') { $Request.Body | ConvertFrom-Json }
    # What is sent as protobuf is not read; a client takes such an answer for its object.
    $echo = @{ metadata = @{ name = $NodeName; resourceVersion = "$script:Change" } }
    if ($Request.Verb -ceq 'POST') {
        if ($place.Resource -ceq 'nodes') {
            $node = Get-NodeTemplate
            return @{ Code = 201; Value = Save-NodeObject -Path "/api/v1/nodes/$NodeName" -Value $node }
        }
        $named = $null -ne $sent -and $null -ne $sent.PSObject.Properties['metadata']
        $name = if ($named) { $sent.metadata.PSObject.Properties['name'] }
        if ($null -eq $name) { return @{ Code = 201; Value = $echo } }
        return @{ Code = 201; Value = Save-NodeObject -Path "$($Request.Path)/$($name.Value)" -Value $sent }
    }
    if ($Request.Verb -ceq 'PUT' -and $null -ne $sent) {
        return @{ Code = 200; Value = Save-NodeObject -Path $place.Path -Value $sent }
    }
    if ($null -eq $known -and $Request.Verb -ceq 'PUT') { return @{ Code = 200; Value = $echo } }
    if ($null -eq $known) { return $missing }
    if ($Request.Verb -ceq 'PATCH') {
        Join-NodePatch -Of $known -Patch $sent
        $known = Save-NodeObject -Path $place.Path -Value $known
    } elseif ($Request.Verb -ceq 'DELETE') {
        $script:Object.Remove($place.Path)
    }
    @{ Code = 200; Value = $known }
}

function Write-NodeAnswer {
    # The answer to one request; a watch has no events, and stays open.
    param([System.IO.Stream] $Stream, [hashtable] $Request)

    $answer = if ($Request.Watches) { @{ Code = 200; Value = '' } } else { Get-NodeAnswer -Request $Request }
    $text = if ($answer.Value -is [string]) { $answer.Value } else {
        ConvertTo-Json -InputObject $answer.Value -Depth 20
    }
    $body = [System.Text.Encoding]::UTF8.GetBytes($text)
    $end = if ($Request.Watches) { 'Transfer-Encoding: chunked' } else {
        "Content-Length: $($body.Length)`r`nConnection: close"
    }
    # The clock of a joining node is compared with this one.
    $date = [System.DateTime]::UtcNow.ToString('r')
    $head = "HTTP/1.1 $($answer.Code) winnode`r`nContent-Type: application/json`r`nDate: $date`r`n$end`r`n`r`n"
    $bytes = [byte[]]([System.Text.Encoding]::ASCII.GetBytes($head) + $body)
    $Stream.Write($bytes, 0, $bytes.Length)
    $Stream.Flush()
}

function Receive-NodeConnection {
    # Answers one connection; returns it if it is a watch.
    param([System.Net.Sockets.TcpClient] $Client, [object] $Certificate)

    try {
        # A client that only connects must not stop the others.
        $Client.ReceiveTimeout = 5000
        $Client.SendTimeout = 5000
        $type = 'System.Net.Security.SslStream'
        $stream = New-Object -TypeName $type -ArgumentList $Client.GetStream(), $false
        $stream.AuthenticateAsServer($Certificate, $false, 'Tls12', $false)
        $request = Read-NodeRequest -Stream $stream
        Write-NodeAnswer -Stream $stream -Request $request
        if ($request.Watches) { return @{ Client = $Client; Until = [System.DateTime]::UtcNow.AddSeconds(60) } }
    } catch {
        $problem = $_
        Write-Verbose -Message "$problem"
    }
    $Client.Close()
}

$authority = Initialize-NodeAuthority
$signed = Get-NodeSigned -Authority $authority -Subject 'CN=127.0.0.1' -Serial 3 -Server
$certificate = ConvertTo-NodeServerCertificate -Signed $signed
Write-NodeCredential -Authority $authority
Initialize-NodeService
$loopback = [System.Net.IPAddress]::Loopback
$listener = New-Object -TypeName System.Net.Sockets.TcpListener -ArgumentList $loopback, $Port
$listener.Start()
Set-Content -LiteralPath "$Folder/ready" -Value 'ready' -Encoding Ascii
$end = [System.DateTime]::UtcNow.AddMinutes($Minutes)
$watches = @()
for ($now = [System.DateTime]::UtcNow; $now -lt $end; $now = [System.DateTime]::UtcNow) {
    $watches = @(foreach ($watch in $watches) {
            if ($watch.Until -lt $now) { $watch.Client.Close() } else { $watch }
        })
    if ($listener.Pending()) {
        $watches += @(Receive-NodeConnection -Client $listener.AcceptTcpClient() -Certificate $certificate)
    } else {
        Start-Sleep -Milliseconds 20
    }
}
$listener.Stop()
exit 0
