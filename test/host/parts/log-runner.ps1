# kube-log-runner: the file with a program's output, and its rotation.

# https://github.com/kubernetes/component-base/blob/349fbe06359c4b39ca17bb9cabdf4a13d70b4b82/logs/kube-log-runner/internal/logrotation/logrotation.go

function Open-HostLog {
    # Open: makes the file, not its folder, or appends to an existing one.
    param([string] $Name, [string[]] $Command)

    $path = Get-HostArgument -Argument $Command -Name '-log-file'
    if (-not (Test-Path -LiteralPath (Split-Path -Path $path))) { throw "there is no folder for $path" }
    $limit = (Get-HostArgument -Argument $Command -Name '-log-file-size') -replace 'Mi$'
    $script:Machine.Logs[$Name] = @{ Path = $path; Limit = 1MB * [long]"0$limit"; Open = $true }
    Add-HostLogLength -LiteralPath $path -Bytes 0
}

function Write-HostLog {
    # Write and rotate: it closes the file before it renames it. Where the rename fails, it goes on with the closed
    # file, so the program's output is lost from then on. Windows renames no file that is open without FILE_SHARE_DELETE.
    param([string] $Name, [long] $Bytes)

    $log = $script:Machine.Logs[$Name]
    if ($null -eq $log -or -not $log.Open -or -not $script:Machine.Running.ContainsKey($Name)) { return }
    Add-HostLogLength -LiteralPath $log.Path -Bytes $Bytes
    if ($log.Limit -eq 0 -or (Get-Item -LiteralPath $log.Path).Length -lt $log.Limit) { return }
    $log.Open = $false
    if ($log.Path -in $script:Machine.Readers) { return }
    $rotated = $log.Path -replace '\.log$', "-$((Get-HostTime).ToString('yyyyMMdd-HHmmss')).log"
    Move-Item -LiteralPath $log.Path -Destination $rotated
    Add-HostLogLength -LiteralPath $log.Path -Bytes 0
    $log.Open = $true
}

function Add-HostLogLength {
    # So many bytes at the end of a file, at the time of the machine.
    param([string] $LiteralPath, [long] $Bytes)

    $full = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
    $stream = [System.IO.File]::Open($full, 'OpenOrCreate', 'ReadWrite', 'ReadWrite')
    try { $stream.SetLength($stream.Length + $Bytes) } finally { $stream.Dispose() }
    [System.IO.File]::SetLastWriteTimeUtc($full, (Get-HostTime))
}
