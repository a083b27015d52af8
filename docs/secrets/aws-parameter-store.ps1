# Writes the token and credentials of a node from AWS Systems Manager Parameter Store, as its instance profile.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$region = 'eu-central-1'
# Path on the machine, and name of the parameter, of type SecureString.
$files = @{
    'C:\etc\kubernetes\bootstrap-token'  = '/winnode/web/bootstrap-token'
    'C:\etc\kubernetes\kube-proxy.token' = '/winnode/web/kube-proxy'
    'C:\etc\kubernetes\flannel.token'    = '/winnode/web/flannel'
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

foreach ($path in $files.Keys) {
    $parameter = Get-SSMParameter -Region $region -Name $files[$path] -WithDecryption $true
    Save-NodeSecret -LiteralPath $path -Text $parameter.Value
}
exit 0
