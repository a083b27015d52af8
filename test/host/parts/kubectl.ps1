# kubectl get --raw and replace --raw: what it reads of a kubeconfig, which CA it trusts, and its errors.

# Recorded with kubectl 1.32.4 against a server that answers so; on Windows a refused connection has the words of
# Windows, which StandardErrorMessage of kubectl does not know.
# https://github.com/kubernetes/kubernetes/blob/v1.36.0/staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go
Add-HostProgram -Name 'kubectl' -Body {
    param($Call)
    $flags = @{}
    $words = @()
    foreach ($argument in $Call.Argument) {
        if ($argument -match '^--(?<name>[a-z-]+)=(?<value>.*)$') { $flags[$Matches['name']] = $Matches['value'] } else { $words += $argument }
    }
    $strange = @($flags.Keys | Where-Object -FilterScript { $_ -notin 'kubeconfig', 'request-timeout', 'v' })
    $verb = @{ 'get --raw' = 'GET'; 'replace --raw' = 'PUT' }["$($words[0..1])"]
    $fits = ($verb -eq 'GET' -and $words.Count -eq 3) -or ($verb -eq 'PUT' -and $words.Count -eq 5 -and $words[3] -ceq '-f')
    if ($strange.Count -gt 0 -or -not $fits) { throw "nothing stands in for kubectl $($Call.Argument)" }
    $file = $flags['kubeconfig']
    if (-not (Test-Path -LiteralPath $file)) { throw "error: CreateFile ${file}: The system cannot find the file specified." }
    $login = Read-HostKubectlConfig -LiteralPath $file
    # Without credentials it asks for a name, and there is no input.
    if (-not ($login.Token -or $login.Pem -or $login.User)) { $Call.Out += 'Please enter Username: '; throw 'error: EOF' }
    if ($verb -eq 'PUT') {
        if (-not (Test-Path -LiteralPath $words[4])) { throw "error: open $($words[4]): The system cannot find the file specified." }
        $sent = Get-Content -LiteralPath $words[4] -Raw
    }
    $mark = if ($words[2].Contains('?')) { '&' } else { '?' }
    $path = "$($words[2])${mark}timeout=$($flags['request-timeout'])"
    Connect-HostApi -Server $login.Server -Ca $login.Ca -Insecure $login.Insecure
    $answer = if ($login.Pem) { [WinNodeHost.ApiServer]::AskWith($login.Pem, $verb, $path) } else {
        [WinNodeHost.ApiServer]::Ask($login.Token, $verb, $path)
    }
    if ([WinNodeHost.ApiServer]::Mute) { throw 'Unable to connect to the server: EOF' }
    if ([int]$flags['v'] -ge 8) { $Call.Err += Get-HostKubectlLog -Code $answer.Key -Path $path }
    if ($answer.Key -eq 200) { $Call.Out += $answer.Value; return }
    # The stand-in of the server keeps no subresources: it has said that the caller may write this one.
    if ($verb -eq 'PUT' -and $answer.Key -eq 404) { $Call.Out += Set-HostNodeStatus -Path $words[2] -Sent $sent; return }
    $status = $answer.Value | ConvertFrom-Json -AsHashtable
    if ($status['reason'] -eq 'Unauthorized') { throw "error: You must be logged in to the server ($($status['message']))" }
    throw "Error from server ($($status['reason'])): $($status['message'])"
}

function Set-HostNodeStatus {
    # PUT of a Node's status: metadata and status are taken, the spec stays.
    # https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/registry/core/node/strategy.go (nodeStatusStrategy)
    param([string] $Path, [string] $Sent)

    $place = $Path -replace '/status$'
    $node = $script:Machine.Cluster.Objects[$place] | ConvertFrom-Json -AsHashtable
    $new = $Sent | ConvertFrom-Json -AsHashtable
    $name = ($place -split '/')[-1]
    if ($place -eq $Path -or $null -eq $node -or $new.metadata.name -cne $name) { throw "nothing stands in for replace of $Path" }
    if ([int]$script:Machine.Cluster['Conflicts'] -gt 0) {
        $script:Machine.Cluster.Conflicts--
        throw "Error from server (Conflict): Operation cannot be fulfilled on nodes `"$name`": the object has been modified; please apply your changes to the latest version and try again"
    }
    $odd = @($new.status.conditions | Where-Object -FilterScript { -not $_['type'] -or $_['status'] -cnotin 'True', 'False', 'Unknown' })
    if ($odd.Count -gt 0) { throw "Error from server (Invalid): Node `"$name`" is invalid" }
    $node.status = $new.status
    $node.metadata.annotations = $new.metadata['annotations']
    Set-HostObject -Path $place -Value $node
    $script:Machine.Cluster.Objects[$place]
}

function Read-HostKubectlConfig {
    # Server, CA and credentials of a kubeconfig in YAML or JSON. A path without a drive letter is no absolute path
    # on Windows: client-go takes it from the folder of the kubeconfig.
    param([string] $LiteralPath)

    $text = Get-Content -LiteralPath $LiteralPath -Raw
    $folder = Split-Path -Path $LiteralPath
    $field = { param($Name) [regex]::Match($text, "[\s{,`"]$Name`"?:\s*`"?([^\s`",}]+)").Groups[1].Value }
    $content = {
        param($Name)
        $data = & $field "$Name-data"
        if ($data) { return [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($data)) }
        $file = & $field $Name
        if (-not $file) { return '' }
        if ($file -notmatch '^[A-Za-z]:') { $file = "$folder\$file" }
        if (-not (Test-Path -LiteralPath $file)) {
            throw "Error in configuration: `n* unable to read $($Name -replace '^client-certificate', 'client-cert') $file for node due to open ${file}: The system cannot find the file specified."
        }
        Get-Content -LiteralPath $file -Raw
    }
    $login = @{ Server = & $field 'server'; Ca = & $content 'certificate-authority'; Pem = & $content 'client-certificate'; Token = & $field 'token'; User = & $field 'username' }
    $login.Insecure = (& $field 'insecure-skip-tls-verify') -eq 'true'
    $from = & $field 'tokenFile'
    if ($from) {
        if (-not (Test-Path -LiteralPath $from)) { throw "error: open ${from}: The system cannot find the file specified." }
        $login.Token = (Get-Content -LiteralPath $from -Raw).Trim()
    }
    $login
}

function Connect-HostApi {
    # Fails as a connection of a Go program does: name, port, and the certificate of the server.
    param([string] $Server, [string] $Ca, [bool] $Insecure)

    $refused = 'connectex: No connection could be made because the target machine actively refused it.'
    if (-not $Server) { throw "Unable to connect to the server: dial tcp [::1]:8080: $refused" }
    $uri = [uri]$Server
    if ($uri.HostNameType -eq 'Dns' -and $uri.Host -ne 'localhost') { throw "Unable to connect to the server: dial tcp: lookup $($uri.Host): no such host" }
    $mine = $uri.Host -eq '127.0.0.1' -and $uri.Port -eq [WinNodeHost.ApiServer]::Port
    if (-not $mine -or -not [WinNodeHost.ApiServer]::Listens) { throw "Unable to connect to the server: dial tcp $($uri.Authority): $refused" }
    if ([WinNodeHost.ApiServer]::Deaf) { throw 'Unable to connect to the server: EOF' }
    if ($Insecure) { return }
    $doubt = [WinNodeHost.ApiServer]::Doubt($Ca)
    if ($doubt) { throw "Unable to connect to the server: $doubt" }
}

function Get-HostKubectlLog {
    # What it logs of an answer at level 8, in the two forms that klog has had: of one line each, and since 1.33 of one
    # message with a list.
    param([int] $Code, [string] $Path)

    $time = [WinNodeHost.ApiServer]::Now.ToString('r', [System.Globalization.CultureInfo]::InvariantCulture)
    $text = Get-Content -LiteralPath (Find-HostKubectl) -Raw
    $minor = if ($text -match '/v1\.(\d+)\.') { [int]$Matches[1] } else { 36 }
    $head = "I1201 08:00:00.000000    4711 round_trippers.go:632]"
    if ($minor -lt 33) { return @("$head Response Status: $Code in 7 milliseconds", "$head Response Headers:", "$head     Date: $time") }
    @("$head `"Response`" status=`"$Code`" headers=<", "`tDate: $time", ' > milliseconds=7')
}

function Find-HostKubectl { 'C:\k\kubectl.exe' }
