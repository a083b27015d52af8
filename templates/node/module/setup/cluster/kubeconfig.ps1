# Reads kubeconfigs with one cluster and one user, in YAML or JSON, as far as requests to the API server need it.
# Not with kubectl config view: a run looks many times whether the machine has joined. Its text is passed in a map:
# PowerShell can log arguments that are strings, and only the type of a map.
# https://github.com/PowerShell/PowerShell: LogExecutionParameterBinding in engine/ParameterBinderBase.cs

function Read-NodeKubeconfig {
    # Server, CA and credentials in a kubeconfig; missing ones are empty strings.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $found = @{ Path = $LiteralPath; Missing = @(); Text = Read-NodeText -LiteralPath $LiteralPath }
    foreach ($name in 'server', 'token') {
        $found[$name] = Get-NodeKubeconfigField -Found $found -Name $name
    }
    foreach ($name in 'certificate-authority', 'client-certificate', 'client-key') {
        $found[$name] = Read-NodeKubeconfigPart -Found $found -Name $name
    }
    $found['Ca'] = $found['certificate-authority']
    # The kubelet stores both in one file, and references it twice.
    $found['Pem'] = $found['client-certificate']
    if ($found['client-key'] -cne $found['client-certificate']) { $found['Pem'] += "`n" + $found['client-key'] }
    $file = Get-NodeKubeconfigField -Found $found -Name 'tokenFile'
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
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $data = Get-NodeKubeconfigField -Found $Found -Name "$Name-data"
    if ($data -ne '') {
        return [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($data))
    }
    $file = Get-NodeKubeconfigField -Found $Found -Name $Name
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
        # Path and Text of the kubeconfig.
        [Parameter(Mandatory = $true)] [hashtable] $Found,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $pattern = '(?m)(?:^[\s-]*|[{{,]\s*)"?{0}"?:\s*["'']?(?<value>[^\s"'',}}]+)' -f [regex]::Escape($Name)
    $value = ''
    foreach ($match in [regex]::Matches($Found.Text, $pattern)) {
        $other = $match.Groups['value'].Value
        if ($value -cnotin '', $other) { throw "$($Found.Path): several clusters or users, expected one of each" }
        $value = $other
    }
    $value
}
