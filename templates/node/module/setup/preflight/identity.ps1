# Finds traces of this machine that must not be in an image.

function Get-NodeIdentity {
    # Rows with an ID and what was found; nothing found means that an image may be created.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param()

    $step = Get-NodeJoinStep
    $member = Get-NodeMembership
    $names = 'tokenFile', 'path', 'bootstrapKubeconfig'
    $secrets = @(foreach ($name in $names) { if ($null -ne $step -and $null -ne $step[$name]) { $step[$name] } })
    @{ Id = 'image-member'; Found = @(if ($member.State -cne 'none') { $member.Text }) }
    @{ Id = 'image-state'; Found = @(if ($script:Run.State['joined']) { 'the state file has joined: true' }) }
    @{ Id = 'image-token'; Found = @($secrets | Where-Object -FilterScript { Test-Path -LiteralPath $_ }) }
    @{ Id = 'image-network'; Found = @(Get-NodePodNetwork) }
    @{ Id = 'image-name'; Found = @(Get-NodeNamedFile) }
}

function Get-NodePodNetwork {
    # Names of networks of network plugins; other types are Windows' own.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    if (-not (Test-NodeHnsPresent)) { return }
    $kinds = 'Overlay', 'L2Bridge', 'Transparent'
    Get-NodeHnsObject -Kind Network | Where-Object -FilterScript { $kinds -contains $_.Type } |
        ForEach-Object -Process { "$($_.Name)" }
}

function Get-NodeNamedFile {
    # Files of winnode and Kubernetes that contain the name of this machine as a word.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $key = 'HKLM:\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters'
    $name = "$(Get-NodeRegistryData -Key $key -Name 'Hostname')"
    if ($name -eq '') { return }
    $word = '(?i)(?<![\w.-]){0}(?![\w-])' -f [regex]::Escape($name)
    $folders = 'C:\etc', 'C:\var\lib\kubelet', 'C:\var\lib\kube-proxy', 'C:\var\lib\cni', 'C:\run', 'C:\k'
    $folders += $script:Run.Document['paths']['state']
    foreach ($folder in $folders) {
        if (Test-Path -LiteralPath $folder) { Find-NodeText -LiteralPath $folder -Pattern $word }
    }
}

function Find-NodeText {
    # Paths of files below a folder whose text matches. Links are not followed, and programs are skipped.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Pattern
    )

    foreach ($child in @(Get-ChildItem -LiteralPath $LiteralPath -Force)) {
        $path = "$LiteralPath\$($child.Name)"
        if ($child.Attributes -band [System.IO.FileAttributes]::ReparsePoint) { continue }
        if ($child.PSIsContainer) {
            Find-NodeText -LiteralPath $path -Pattern $Pattern
        } elseif ($child.Length -lt 1MB -and $child.Name -notmatch '\.exe$') {
            # The lock file of this run cannot be read.
            $text = try { Read-NodeText -LiteralPath $path } catch [System.IO.IOException] { '' }
            if ($text -match $Pattern) { $path }
        }
    }
}
