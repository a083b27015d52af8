# Writes the token and credentials of a node from Azure Key Vault, as the managed identity of the machine.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$vault = 'https://web.vault.azure.net'
# Client ID of a user-assigned identity, where the machine has several identities.
$clientId = ''
# Path on the machine, and name of the secret.
$files = @{
    'C:\etc\kubernetes\bootstrap-token'  = 'bootstrap-token'
    'C:\etc\kubernetes\kube-proxy.token' = 'kube-proxy'
    'C:\etc\kubernetes\flannel.token'    = 'flannel'
}

function Save-NodeSecret {
    # Writes a file that only SYSTEM and Administrators can read: protected before it has content, complete before
    # it has its name. User data runs this script in a folder that is closed to other users.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Text
    )

    if ($Text -cmatch '[^\x00-\x7f]') { throw "the text for $LiteralPath is not ASCII" }
    $folder = Split-Path -Path $LiteralPath -Parent
    if (-not (Test-Path -LiteralPath $folder)) { $null = New-Item -Path $folder -ItemType Directory }
    $new = Join-Path -Path $PSScriptRoot -ChildPath 'secret.new'
    $null = New-Item -Path $new -ItemType File -Force
    $list = Get-Acl -LiteralPath $new
    $list.SetSecurityDescriptorSddlForm('O:BAD:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Owner, Access')
    Set-Acl -LiteralPath $new -AclObject $list
    Set-Content -LiteralPath $new -Value $Text.Trim() -NoNewline -Encoding Ascii
    Move-Item -LiteralPath $new -Destination $LiteralPath -Force
    "wrote $LiteralPath"
}

function Get-NodeAnswer {
    # Asks again for some minutes: at the first start, the identity may not have its rights yet.
    [CmdletBinding()]
    [OutputType([psobject])]
    param(
        [Parameter(Mandatory = $true)] [string] $Uri,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Headers
    )

    for ($attempt = 1; ; $attempt++) {
        try {
            return Invoke-RestMethod -Uri $Uri -Headers $Headers -UseBasicParsing
        } catch {
            if ($attempt -ge 8) { throw }
            Start-Sleep -Seconds ([math]::Pow(2, $attempt))
        }
    }
}

$protocols = [System.Net.ServicePointManager]::SecurityProtocol
if ([int]$protocols -ne 0) {
    $newer = [System.Net.SecurityProtocolType]::Tls12
    [System.Net.ServicePointManager]::SecurityProtocol = $protocols -bor $newer
}
$identity = 'http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01'
$identity += '&resource=https%3A%2F%2Fvault.azure.net'
if ($clientId) { $identity += "&client_id=$clientId" }
$access = Get-NodeAnswer -Uri $identity -Headers @{ Metadata = 'true' }
$headers = @{ Authorization = "Bearer $($access.access_token)" }
foreach ($path in $files.Keys) {
    $secret = Get-NodeAnswer -Uri "$vault/secrets/$($files[$path])?api-version=7.4" -Headers $headers
    Save-NodeSecret -LiteralPath $path -Text $secret.value
}
exit 0
