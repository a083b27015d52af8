# Finds logs that exceed their limits.

function Get-NodeLogStep {
    # The steps with a log to rotate, or with rotated logs to delete.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $script:Run.Document['steps'] | Where-Object -FilterScript {
        $_['kind'] -ceq 'logRotation' -or ($_['kind'] -ceq 'service' -and $null -ne $_['log'])
    }
}

function Test-NodeLogRotation {
    # True if the log and the number of its rotated files are within their limits.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $Step['path']
    if (-not (Test-Path -LiteralPath $path)) { return $true }
    $size = (Get-Item -LiteralPath $path).Length
    $tooLarge = $size -gt $Step['maxSizeMiB'] * 1MB
    $tooMany = Test-Path -LiteralPath "$path.$($Step['maxFiles'] + 1)"
    if ($tooLarge -or $tooMany) { Write-NodeDetail -Text "it has $size bytes, or too many rotated files" }
    -not ($tooLarge -or $tooMany)
}

function Get-NodeExcessLog {
    # The oldest rotated logs of a service, beyond their number. nssm and kube-log-runner put the time into the
    # name.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Log)

    $folder = Get-NodeParent -LiteralPath $Log['path']
    if (-not (Test-Path -LiteralPath $folder)) { return }
    $name = $Log['path'].Substring($folder.Length).TrimStart('\')
    $base = [regex]::Escape($name.Substring(0, $name.LastIndexOf('.')))
    Get-ChildItem -LiteralPath $folder -File | Where-Object -FilterScript {
        $_.Name -match "^$base-\d{8}[T-]\d{6}"
    } | Sort-Object -Property Name -Descending | Select-Object -Skip $Log['maxFiles'] | ForEach-Object -Process {
        "$folder\$($_.Name)"
    }
}

function Get-NodeClosedLog {
    # Services whose output is lost: kube-log-runner closes a log before it renames it, and goes on with the closed
    # file if the rename fails, as it does while another program has the log open without FILE_SHARE_DELETE. Then
    # the log has reached its limit, or is missing. Its age alone shows nothing: a service may have nothing to log
    # for hours, and NTFS updates the time of an open file late.
    # https://github.com/kubernetes/component-base/tree/349fbe06/logs/kube-log-runner/internal/logrotation
    # https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getfiletime
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    foreach ($step in @(Get-NodeLogStep)) {
        if ($step['kind'] -cne 'service' -or -not (Test-NodeServiceActive -Name $step['name'])) { continue }
        if ($step['command'][0]['text'] -notlike '*\kube-log-runner.exe') { continue }
        $log = $step['log']
        if (Test-Path -LiteralPath $log['path']) {
            $file = Get-Item -LiteralPath $log['path']
            $full = $file.Length -ge $log['maxSizeMiB'] * 1MB
            if (-not $full -or (Read-NodeClock) -lt $file.LastWriteTimeUtc.AddHours(1)) { continue }
        }
        $step['name']
    }
}
