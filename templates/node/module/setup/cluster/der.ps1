# Parses DER, the format of certificates and keys: .NET Framework parses only whole certificates.

function Expand-NodeDer {
    # The successive values in some bytes: tag and content of each.
    # https://learn.microsoft.com/windows/win32/seccertenroll/about-der-encoding-of-asn-1-types
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [byte[]] $Data)

    for ($place = 0; $place + 1 -lt $Data.Length) {
        $start = $place
        $tag = [int]$Data[$place]
        $length = [int]$Data[$place + 1]
        $place += 2
        if ($length -gt 127) {
            $more = $length -band 127
            $length = 0
            for ($index = 0; $index -lt $more; $index++) { $length = $length * 256 + $Data[$place + $index] }
            $place += $more
        }
        $end = $place + $length
        if ($end -gt $Data.Length) { throw 'invalid DER: unexpected end' }
        $content = New-Object -TypeName 'byte[]' -ArgumentList $length
        [System.Array]::Copy($Data, $place, $content, 0, $length)
        $whole = New-Object -TypeName 'byte[]' -ArgumentList ($end - $start)
        [System.Array]::Copy($Data, $start, $whole, 0, $end - $start)
        @{ Tag = $tag; Content = $content; Whole = $whole }
        $place = $end
    }
}

function ConvertFrom-NodePem {
    # The bytes of PEM blocks of a type: CERTIFICATE, EC PRIVATE KEY.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text,
        [Parameter(Mandatory = $true)] [string] $Kind
    )

    $pattern = '-----BEGIN {0}-----(?<body>[A-Za-z0-9+/=\s]+)-----END {0}-----' -f [regex]::Escape($Kind)
    foreach ($block in [regex]::Matches($Text, $pattern)) {
        , [System.Convert]::FromBase64String(($block.Groups['body'].Value -replace '\s'))
    }
}
