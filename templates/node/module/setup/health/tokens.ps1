# Checks when the tokens of programs on a joined node expire.

$script:HealthKind['tokens'] = @{
    Function = 'Get-NodeTokenHealth'
    Event    = 113
    Remedy   = 'run cluster/prepare.sh credentials, and replace the file: it is read again within a minute'
}

function Get-NodeTokenHealth {
    # Whether the tokens in files are valid for more than a tenth of their time. Nothing renews them.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $verdict = 'ok'
    $texts = foreach ($path in $Need['paths']) {
        if (-not (Test-Path -LiteralPath $path)) {
            $verdict = 'fail'
            "$path not found"
            continue
        }
        $fault = Get-NodeEncodingFault -LiteralPath $path
        if ($fault -ne '') {
            $verdict = 'fail'
            $fault
            continue
        }
        $time = Get-NodeTokenTime -LiteralPath $path
        if ($null -eq $time) { "$path has no expiry"; continue }
        $left = $time.Until - (Read-NodeClock)
        $late = $left.TotalSeconds -lt 0.1 * ($time.Until - $time.From).TotalSeconds
        if ($late -and $verdict -ceq 'ok') { $verdict = 'warn' }
        if ($left.TotalSeconds -le 0) { $verdict = 'fail' }
        '{0} valid until {1}' -f $path, (ConvertTo-NodeTimeText -Time $time.Until)
    }
    ConvertTo-NodeVerdict -Verdict $verdict -Evidence ($texts -join '; ')
}

function Get-NodeTokenTime {
    # From when until when the token of a ServiceAccount in a file is valid; nothing for another text, or for a
    # token that does not expire, as in a Secret.
    # https://datatracker.ietf.org/doc/html/rfc7519#section-4.1
    # https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $parts = (Read-NodeText -LiteralPath $LiteralPath).Trim().Split('.')
    if ($parts.Count -ne 3) { return }
    try {
        $text = $parts[1].Replace('-', '+').Replace('_', '/')
        while ($text.Length % 4 -ne 0) { $text += '=' }
        $bytes = [System.Convert]::FromBase64String($text)
        $claims = ConvertFrom-NodeJson -Text ([System.Text.Encoding]::UTF8.GetString($bytes))
        if ($null -eq $claims['exp']) { return }
        # iat is optional. Without it the time of the token is unknown, and only its end counts.
        if ($null -eq $claims['iat']) { $claims['iat'] = $claims['exp'] }
        $from, $until = foreach ($name in 'iat', 'exp') {
            [DateTimeOffset]::FromUnixTimeSeconds($claims[$name]).UtcDateTime
        }
        @{ From = $from; Until = $until }
    } catch {
        Write-Verbose -Message $_.Exception.Message
    }
}
