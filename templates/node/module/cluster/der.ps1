# DER, the form in which certificates and keys are kept: .NET Framework reads certificates only as a whole.

function Expand-NodeDer {
    # The values that stand one after the other in some bytes: tag and content of each.
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
        if ($end -gt $Data.Length) { throw 'this is not DER: it ends too early' }
        $content = New-Object -TypeName 'byte[]' -ArgumentList $length
        [System.Array]::Copy($Data, $place, $content, 0, $length)
        $whole = New-Object -TypeName 'byte[]' -ArgumentList ($end - $start)
        [System.Array]::Copy($Data, $start, $whole, 0, $end - $start)
        @{ Tag = $tag; Content = $content; Whole = $whole }
        $place = $end
    }
}

function ConvertFrom-NodePem {
    # The bytes of the blocks of a kind in a text: CERTIFICATE, EC PRIVATE KEY.
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
