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
