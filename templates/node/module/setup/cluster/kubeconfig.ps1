# Reads kubeconfigs with one cluster and one user, in YAML or JSON, as far as requests to the API server need it.
# Not with kubectl config view: a run looks many times whether the machine has joined.

function Read-NodeKubeconfig {
    # Server, CA and credentials in a kubeconfig; missing ones are empty strings.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $text = Read-NodeText -LiteralPath $LiteralPath
    $found = @{ Path = $LiteralPath; Missing = @() }
    foreach ($name in 'server', 'token') {
        $found[$name] = Get-NodeKubeconfigField -Text $text -Name $name -LiteralPath $LiteralPath
    }
    foreach ($name in 'certificate-authority', 'client-certificate', 'client-key') {
        $found[$name] = Read-NodeKubeconfigPart -Found $found -Text $text -Name $name
    }
    $found['Ca'] = $found['certificate-authority']
    # The kubelet stores both in one file, and references it twice.
    $found['Pem'] = (@($found['client-certificate'], $found['client-key']) | Select-Object -Unique) -join "`n"
    $file = Get-NodeKubeconfigField -Text $text -Name 'tokenFile' -LiteralPath $LiteralPath
    if ($found['token'] -eq '' -and $file -ne '' -and (Test-Path -LiteralPath $file)) {
        $found['token'] = (Read-NodeText -LiteralPath $file).Trim()
    }
    if ($found['token'] -ne '') { $script:Run.Secrets += $found['token'] }
    $found
}

function Read-NodeKubeconfigPart {
    # The content of a field, or of the file that it references; records the path, and whether it is missing.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Found,
        [Parameter(Mandatory = $true)] [string] $Text,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $data = Get-NodeKubeconfigField -Text $Text -Name "$Name-data" -LiteralPath $Found.Path
    if ($data -ne '') {
        return [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($data))
    }
    $file = Get-NodeKubeconfigField -Text $Text -Name $Name -LiteralPath $Found.Path
    if ($file -eq '') { return '' }
    # A path without a drive letter is on drive C:.
    if ($file -match '^[\\/]') { $file = 'C:' + $file.Replace('/', '\') }
    $Found["$Name-path"] = $file
    if (Test-Path -LiteralPath $file) { return Read-NodeText -LiteralPath $file }
    if ($Found.Missing -cnotcontains $file) { $Found.Missing += $file }
    ''
}

function Get-NodeKubeconfigField {
    # The value of a field that may occur once.
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
    if ($values.Count -gt 1) { throw "${LiteralPath}: several clusters or users, expected one of each" }
    if ($values.Count -eq 0) { return '' }
    $values[0]
}
