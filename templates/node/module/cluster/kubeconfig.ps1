# Reads kubeconfigs of one cluster and one user, in YAML or JSON, as far as a question to the API server needs.

function Read-NodeKubeconfig {
    # Server, CA and credentials that a kubeconfig names; what it leaves out is an empty text.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $text = Read-NodeText -LiteralPath $LiteralPath
    $found = @{ Path = $LiteralPath; Pem = ''; PemPath = '' }
    $fields = @{
        Server = 'server'; CaData = 'certificate-authority-data'; CaFile = 'certificate-authority'
        Token = 'token'; TokenFile = 'tokenFile'; CertFile = 'client-certificate'
    }
    foreach ($name in @($fields.Keys)) {
        $found[$name] = Get-NodeKubeconfigField -Text $text -Name $fields[$name] -LiteralPath $LiteralPath
    }
    $found['Ca'] = if ($found['CaData'] -ne '') {
        [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($found['CaData']))
    } elseif ($found['CaFile'] -ne '' -and (Test-Path -LiteralPath $found['CaFile'])) {
        Read-NodeText -LiteralPath $found['CaFile']
    } else { '' }
    if ($found['Token'] -eq '' -and $found['TokenFile'] -ne '' -and (Test-Path -LiteralPath $found['TokenFile'])) {
        $found['Token'] = (Read-NodeText -LiteralPath $found['TokenFile']).Trim()
    }
    if ($found['Token'] -ne '') { $script:Run.Secrets += $found['Token'] }
    # A path without a drive is on that of Windows.
    if ($found['CertFile'] -match '^[\\/]') { $found['CertFile'] = 'C:' + $found['CertFile'].Replace('/', '\') }
    $found['PemPath'] = $found['CertFile']
    if ($found['PemPath'] -ne '' -and (Test-Path -LiteralPath $found['PemPath'])) {
        $found['Pem'] = Read-NodeText -LiteralPath $found['PemPath']
    }
    $found
}

function Get-NodeKubeconfigField {
    # The value of a field, which may stand there once.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text,
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [string] $LiteralPath
    )

    $pattern = '(?m)(?:^[\s-]*|[{{,]\s*)"?{0}"?:\s*["'']?(?<value>[^\s"'',}}]+)' -f [regex]::Escape($Name)
    $values = @([regex]::Matches($Text, $pattern) | ForEach-Object -Process { $_.Groups['value'].Value } |
            Select-Object -Unique)
    if ($values.Count -gt 1) { throw "$LiteralPath names several clusters or users; give one with one of each" }
    if ($values.Count -eq 0) { return '' }
    $values[0]
}
