# Writes the token and credentials of a node from an SMB share, as its computer account, and the bundle.
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$share = '\\files.example.com\winnode$\web'
# Path on the machine, and name of the file in the share.
$files = @{
    'C:\etc\kubernetes\bootstrap-token'  = 'bootstrap-token'
    'C:\etc\kubernetes\kube-proxy.token' = 'kube-proxy.token'
    'C:\etc\kubernetes\flannel.token'    = 'flannel.token'
}
# Where targets.userdata.bundleURL expects the archive, which user data compares with its checksum.
$bundle = 'C:\winnode\web.zip'

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

$folder = Split-Path -Path $bundle -Parent
if (-not (Test-Path -LiteralPath $folder)) { $null = New-Item -Path $folder -ItemType Directory }
$archive = Join-Path -Path $share -ChildPath (Split-Path -Path $bundle -Leaf)
Copy-Item -LiteralPath $archive -Destination $bundle -Force
foreach ($path in $files.Keys) {
    $file = Join-Path -Path $share -ChildPath $files[$path]
    Save-NodeSecret -LiteralPath $path -Text (Get-Content -LiteralPath $file -Raw -Encoding UTF8)
}
exit 0
