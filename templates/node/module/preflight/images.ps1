# Check of the folder of images: to what runs, another one is a loss.

$script:PreflightKind['imageFolder'] = 'Test-NodeImageFolder'

function Test-NodeImageFolder {
    # Whether containerd may get the folder of images that the bundle names. Another one is empty: containerd then
    # knows nothing of the pods that run, and neither stops nor restarts them.
    # https://github.com/containerd/containerd/blob/main/core/runtime/v2/shim_load.go
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $now = Get-NodeImageFolder -LiteralPath $Need['configuration']
    if ($now -eq '' -or $now -eq $Need['root'] -or -not (Test-Path -LiteralPath $now)) {
        Write-NodeDetail -Text "images lie in $($Need['root'])"
        return $true
    }
    $left = "images leave $now for $($Need['root']) and are pulled again; nobody takes $now away"
    $pods = @(Get-NodeWorkload -All)
    if ($pods.Count -eq 0) {
        Write-NodeDetail -Text $left
        return $true
    }
    $mend = 'stop the kubelet and remove them with crictl rmp --all --force, or give -Force'
    Write-NodeDetail -Text "$left; containerd would lose these pods, ${mend}: $($pods -join ', ')"
    $script:Run.Force
}

function Get-NodeImageFolder {
    # The root that a configuration of containerd names, or an empty text.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { return '' }
    $line = [regex]::Match((Read-NodeText -LiteralPath $LiteralPath), '(?m)^root *= *["''](?<path>[^"'']+)["'']')
    # In its quotes TOML doubles a backslash.
    $line.Groups['path'].Value.Replace('\\', '\')
}
