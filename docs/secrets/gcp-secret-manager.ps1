# Writes the token and credentials of a node from Google Cloud Secret Manager, as its service account.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$project = 'example'
# Path on the machine, and name of the secret.
$files = @{
    'C:\etc\kubernetes\bootstrap-token'  = 'web-bootstrap-token'
    'C:\etc\kubernetes\kube-proxy.token' = 'web-kube-proxy'
    'C:\etc\kubernetes\flannel.token'    = 'web-flannel'
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
$identity = 'http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token'
$access = Get-NodeAnswer -Uri $identity -Headers @{ 'Metadata-Flavor' = 'Google' }
$headers = @{ Authorization = "Bearer $($access.access_token)" }
$secrets = "https://secretmanager.googleapis.com/v1/projects/$project/secrets"
foreach ($path in $files.Keys) {
    $secret = Get-NodeAnswer -Uri "$secrets/$($files[$path])/versions/latest:access" -Headers $headers
    $bytes = [System.Convert]::FromBase64String($secret.payload.data)
    Save-NodeSecret -LiteralPath $path -Text ([System.Text.Encoding]::UTF8.GetString($bytes))
}
exit 0
