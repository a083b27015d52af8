# Checks for pending restarts.

$script:PreflightKind['pendingRestart'] = 'Test-NodePendingRestart'
$script:PreflightKind['pendingRename'] = 'Test-NodePendingRename'

function Test-NodePendingRestart {
    # Whether no restart is pending: by Windows, an earlier run, or a new host name.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $waits = @()
    $servicing = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing'
    if (Test-Path -LiteralPath "$servicing\RebootPending") { $waits += 'component servicing' }
    $key = "$script:Services\Tcpip\Parameters"
    $now = Get-NodeRegistryData -Key $key -Name 'Hostname'
    $next = Get-NodeRegistryData -Key $key -Name 'NV Hostname'
    if ($null -ne $next -and $next -ne $now) { $waits += 'a new host name' }
    $waits += @(Get-NodeRestart)
    $message = 'no restart is pending'
    if ($waits.Count -gt 0) { $message = "a restart is pending for $($waits -join ', ')" }
    Write-NodeDetail -Text $message
    $waits.Count -eq 0
}

function Test-NodePendingRename {
    # Whether no files are to be replaced at the next boot.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $files = Get-NodeRegistryData -Key $script:SessionManager -Name 'PendingFileRenameOperations'
    $count = @($files | Where-Object -FilterScript { $_ }).Count
    Write-NodeDetail -Text "files to replace or delete at the next boot: $count"
    $count -eq 0
}
