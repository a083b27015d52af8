# containerd: what keeps it from starting, and when it answers at its pipe.

# Sources and what they say stand in test/host/README.md.
$script:Pipe = 'npipe:////./pipe/containerd-containerd'

$script:Daemon['containerd'] = {
    # It reads its configuration and starts its plugins before it answers the service manager.
    param($Arguments, $Name)
    $default = 'C:\Program Files\containerd\config.toml'
    $config = Get-HostArgument -Argument $Arguments -Name '--config'
    if (-not $config -and (Test-Path -LiteralPath $default)) { $config = $default }
    if ($config) {
        Assert-HostToml -LiteralPath $config
        Assert-HostTopFolder -LiteralPath $config
    }
    $log = Get-HostArgument -Argument $Arguments -Name '--log-file'
    if ($log -and -not (Test-Path -LiteralPath (Split-Path -Path $log))) { throw "containerd: open log file `"$log`": The system cannot find the path specified." }
    if ($script:Machine.Features['Containers'] -ne 'Installed') { throw 'containerd: the compute service is missing' }
    $script:Machine.Pipe = $script:Machine.Seconds + (Get-HostSwitch -Name 'PipeSeconds')
}

function Assert-HostToml {
    # What ends every line of containerd: no file, no version that it knows, a byte order mark.
    param([string] $LiteralPath)

    $problem = "containerd: failed to load TOML from ${LiteralPath}:"
    if (-not (Test-Path -LiteralPath $LiteralPath)) { throw "containerd: failed to load TOML: open ${LiteralPath}: The system cannot find the file specified." }
    $bytes = [System.IO.File]::ReadAllBytes((Convert-Path -LiteralPath $LiteralPath))
    if ($bytes.Count -gt 0 -and $bytes[0] -eq 0xEF) { throw "$problem failed to unmarshal TOML at row 1 column 1: invalid character at start of key" }
    $text = [System.Text.Encoding]::UTF8.GetString($bytes)
    $version = [regex]::Match($text, '(?m)^version *= *(\d+)')
    if ($version.Success -and [int]$version.Groups[1].Value -gt 4) { throw "$problem expected containerd config version equal to or less than ``4``, got ``$($version.Groups[1].Value)``" }
    foreach ($line in $text -split "`r?`n") {
        if ($line -match '^\s*(#.*)?$|^\s*\[.*\]\s*(#.*)?$|=|^\s*[\]"'',{}]') { continue }
        throw "$problem failed to unmarshal TOML: expected = after a key, but the document ends there"
    }
}

function Assert-HostTopFolder {
    # root and state are made before the service manager is answered; none can be created on a missing drive.
    param([string] $LiteralPath)

    foreach ($line in Get-Content -LiteralPath $LiteralPath) {
        if ($line -notmatch '^(?:root|state) *= *["''](?<path>[^"'']+)["'']') { continue }
        $path = $Matches['path'].Replace('\\', '\')
        $drive = $path.Substring(0, 2)
        if ($drive -in @('C:') + @($script:Machine.Volumes | ForEach-Object -Process { $_.DeviceID })) { continue }
        throw "containerd: mkdir ${path}: The system cannot find the path specified."
    }
}

function Test-HostPipe {
    # Whether an endpoint answers now.
    param([string] $Endpoint)

    $Endpoint -eq $script:Pipe -and $script:Machine.Running.ContainsKey('containerd') -and $script:Machine.Seconds -ge $script:Machine.Pipe
}

function Connect-HostPipe {
    # Waits for the pipe as long as crictl does: a connection and three more tries, after 0.5, 1 and 2 seconds.
    param([string] $Endpoint)

    if (-not $Endpoint.StartsWith('npipe:')) { throw "FATA[0000] protocol `"$($Endpoint -replace ':.*$')`" not supported" }
    foreach ($pause in 0, 0.5, 1, 2) {
        if ($pause -gt 0) { Start-Sleep -Seconds $pause }
        if (Test-HostPipe -Endpoint $Endpoint) { return }
    }
    $path = $Endpoint -replace '^npipe:(//)?'
    throw "FATA[0004] validate CRI v1 runtime API for endpoint `"$Endpoint`": rpc error: code = Unavailable desc = connection error: desc = `"transport: Error while dialing: open ${path}: The system cannot find the file specified.`""
}
