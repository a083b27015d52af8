# Checks of what waits for a restart.

$script:PreflightKind['pendingRestart'] = 'Test-NodePendingRestart'
$script:PreflightKind['pendingRename'] = 'Test-NodePendingRename'

function Test-NodePendingRestart {
    # Whether Windows, or an earlier run, does not wait for a restart; a new host name does, too.
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
    # Whether no files wait to be replaced at the next start.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $files = Get-NodeRegistryData -Key $script:SessionManager -Name 'PendingFileRenameOperations'
    $count = @($files | Where-Object -FilterScript { $_ }).Count
    Write-NodeDetail -Text "files to replace or delete at the next start: $count"
    $count -eq 0
}
