# What programs written in Go share: flags, JSON whose keys have no case, addresses, kubeconfigs.

function Read-HostFlag {
    # Flags as the package flag takes them apart. Kinds: text, number, switch. The first one that it does not know
    # ends it, and usage() ends with 0: https://github.com/flannel-io/flannel/blob/master/main.go
    param([string[]] $Argument, [hashtable] $Kind)

    $found = @{}
    for ($index = 0; $index -lt $Argument.Count; $index++) {
        $match = [regex]::Match($Argument[$index], '^--?([^=]+)(=(.*))?$')
        if (-not $match.Success) { return $found }
        $name = $match.Groups[1].Value
        if (-not $Kind.ContainsKey($name)) { throw "flag provided but not defined: -$name" }
        $value = $match.Groups[3].Value
        if (-not $match.Groups[2].Success) {
            if ($Kind[$name] -eq 'switch') { $value = 'true' } else { $index++; $value = $Argument[$index] }
        }
        if ($Kind[$name] -eq 'number' -and $value -notmatch '^-?\d+$') { throw "invalid value `"$value`" for flag -${name}: parse error" }
        if ($Kind[$name] -eq 'switch' -and $value -notmatch '^(1|0|t|f|true|false)$') { throw "invalid boolean value `"$value`" for -$name" }
        $found[$name] = $value
    }
    $found
}

function ConvertFrom-HostJson {
    # A JSON document, or what encoding/json says of it.
    param([string] $Text)

    if ($Text.Trim() -eq '') { throw 'unexpected end of JSON input' }
    # As Go sees it: bytes.
    if ($Text[0] -eq [char]0xFEFF) { throw "invalid character '$([char]0xEF)' looking for beginning of value" }
    try { ConvertFrom-Json -InputObject $Text -AsHashtable } catch { throw "invalid character in JSON: $_" }
}

function Get-HostField {
    # A field of a JSON object: keys have no case, the last one counts; of this kind, where one is named.
    param([object] $Object, [string] $Name, [string] $Kind = '')

    if ($Object -isnot [System.Collections.IDictionary]) { return }
    $value = $null
    foreach ($key in $Object.Keys) { if ($key -eq $Name) { $value = $Object[$key] } }
    $is = if ($value -is [string]) { 'string' } elseif ($value -is [bool]) { 'bool' } elseif ($value -is [array]) { 'array' } elseif ($value -is [System.Collections.IDictionary]) { 'object' } else { 'number' }
    if ($Kind -and $null -ne $value -and $is -ne $Kind) {
        $go = @{ string = 'string'; bool = 'bool'; number = 'int' }[$Kind]
        throw "json: cannot unmarshal $is into Go struct field .$Name of type $go"
    }
    , $value
}

function ConvertTo-HostNumber {
    # An address as a number and its length in bits; nothing where it is none. No zero may lead.
    param([string] $Text)

    $address = $null
    $ipv4 = $Text -cmatch '\A(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}\z' -and $Text -notmatch '(^|\.)0\d'
    if (-not $ipv4 -and ($Text -notmatch ':' -or $Text -match '[%\[\]/]')) { return }
    if (-not [System.Net.IPAddress]::TryParse($Text, [ref] $address)) { return }
    $bytes = $address.GetAddressBytes()
    [array]::Reverse($bytes)
    @{ Number = [bigint]::new([byte[]]($bytes + 0)); Bits = 8 * $bytes.Count }
}

function ConvertFrom-HostNumber {
    # The text of such a number.
    param([bigint] $Number, [int] $Bits)

    $bytes = [byte[]]::new($Bits / 8)
    $given = $Number.ToByteArray()
    [array]::Copy($given, $bytes, [math]::Min($given.Count, $bytes.Count))
    [array]::Reverse($bytes)
    [System.Net.IPAddress]::new($bytes).ToString()
}

function ConvertTo-HostSubnet {
    # A subnet as net.ParseCIDR gives it: the address that was written, the first one, the last one.
    param([string] $Text)

    $match = [regex]::Match($Text, '^([^/]+)/(0|[1-9]\d?\d?)$')
    $address = ConvertTo-HostNumber -Text $match.Groups[1].Value
    if (-not $match.Success -or $null -eq $address -or [int]$match.Groups[2].Value -gt $address.Bits) { throw "invalid CIDR address: $Text" }
    $length = [int]$match.Groups[2].Value
    $size = [bigint]::Pow(2, $address.Bits - $length)
    $first = $address.Number - $address.Number % $size
    @{ Number = $address.Number; Bits = $address.Bits; Length = $length; First = $first; Last = $first + $size - 1; Text = $Text }
}

function Assert-HostKubeconfig {
    # Errors of client-go in a kubeconfig before any request; returns the server and the token.
    param([string] $LiteralPath)

    $none = 'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable'
    if (-not $LiteralPath) { throw $none }
    $file = Read-HostCredential -LiteralPath $LiteralPath
    if ($null -eq $file) { throw "GetFileAttributesEx ${LiteralPath}: The system cannot find the file specified." }
    # JSON is YAML, too: its names have quotes.
    $quoted = '"?: *"?([^\s",]+)'
    $current = [regex]::Match($file.Text, "(?m)^\s*`"?current-context$quoted").Groups[1].Value
    $names = @([regex]::Matches($file.Text, "(?m)^(?:- |\s+)`"?name$quoted") | ForEach-Object -Process { $_.Groups[1].Value })
    if ($current -and $names -cnotcontains $current) {
        throw "invalid configuration: [context was not found for specified context: $current, cluster has no server defined]"
    }
    $server = [regex]::Match($file.Text, "(?m)^\s*`"?server$quoted").Groups[1].Value
    if (-not $server) { throw $none }
    $secret = [regex]::Match($file.Text, "(?m)^\s*`"?tokenFile$quoted").Groups[1].Value.Replace('\\', '\')
    if ($secret -and -not (Test-Path -LiteralPath $secret)) { throw "open ${secret}: The system cannot find the file specified." }
    @{ Server = $server; Token = $file['token']; TokenFile = $secret }
}

function Get-HostToken {
    # The token of what Assert-HostKubeconfig returned: one in a file is read again after a minute, for as long as it
    # can be read.
    # https://github.com/kubernetes/client-go/blob/master/transport/token_source.go NewCachedFileTokenSource
    param([System.Collections.IDictionary] $Login)

    if (-not $Login['TokenFile']) { return $Login['Token'] }
    if ($null -eq $Login['TokenRead'] -or $script:Machine.Seconds - $Login['TokenRead'] -ge 60) {
        # Each byte, a byte order mark too: strings.TrimSpace(string(bytes)).
        $there = Test-Path -LiteralPath $Login['TokenFile'] -PathType Leaf
        $text = if ($there) { [System.Text.Encoding]::UTF8.GetString([System.IO.File]::ReadAllBytes((Convert-Path -LiteralPath $Login['TokenFile']))) }
        if ($text) { $Login['Token'], $Login['TokenRead'] = $text.Trim(), $script:Machine.Seconds }
    }
    $Login['Token']
}
