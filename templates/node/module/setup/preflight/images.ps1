# Checks a change of containerd's root folder.

$script:PreflightKind['imageFolder'] = 'Test-NodeImageFolder'

function Test-NodeImageFolder {
    # Whether containerd may use the root folder of the bundle. A new one is empty: containerd then does not know
    # the running pods, and neither stops nor restarts them.
    # https://github.com/containerd/containerd/blob/main/core/runtime/v2/shim_load.go
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $now = Get-NodeImageFolder -LiteralPath $Need['configuration']
    if ($now -eq '' -or $now -eq $Need['root'] -or -not (Test-Path -LiteralPath $now)) {
        Write-NodeDetail -Text "images are in $($Need['root'])"
        return $true
    }
    $left = "images are pulled again to $($Need['root']); $now is not deleted"
    $pods = @(Get-NodeWorkload -All)
    if ($pods.Count -eq 0) {
        Write-NodeDetail -Text $left
        return $true
    }
    $fix = 'stop the kubelet and remove them with crictl rmp --all --force, or use -Force'
    Write-NodeDetail -Text "$left; containerd would lose track of these pods, ${fix}: $($pods -join ', ')"
    $script:Run.Force
}

function Get-NodeImageFolder {
    # The root folder in a containerd configuration, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { return '' }
    $line = [regex]::Match((Read-NodeText -LiteralPath $LiteralPath), '(?m)^root *= *["''](?<path>[^"'']+)["'']')
    # TOML escapes a backslash in double quotes.
    $line.Groups['path'].Value.Replace('\\', '\')
}
