# logRotation: rotates a log that its program does not rotate.

$script:StepKind['logRotation'] = @{ Noun = 'NodeLogRotation'; Subject = 'path'; Reset = 'keep' }

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

function Set-NodeLogRotation {
    # Copies the end of the log and empties it. Its program keeps the file open, so it cannot be renamed. Lines
    # written between the two are lost.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $Step['path']
    if (-not $PSCmdlet.ShouldProcess($path, 'rotate log')) { return $false }
    $kept = [int]$Step['maxFiles']
    for ($index = $kept + 1; Test-Path -LiteralPath "$path.$index"; $index++) {
        Clear-NodePath -LiteralPath "$path.$index"
    }
    if ((Get-Item -LiteralPath $path).Length -le $Step['maxSizeMiB'] * 1MB) { return $false }
    Clear-NodePath -LiteralPath "$path.$kept"
    for ($index = $kept - 1; $index -ge 1; $index--) {
        if (Test-Path -LiteralPath "$path.$index") {
            Move-NodeFile -LiteralPath "$path.$index" -Destination "$path.$($index + 1)"
        }
    }
    $log = [System.IO.File]::Open((Resolve-NodePath -LiteralPath $path), 'Open', 'ReadWrite', 'ReadWrite')
    try {
        try {
            Save-NodeLogEnd -Log $log -LiteralPath "$path.1" -Bytes ($Step['maxSizeMiB'] * 1MB)
        } catch [System.IO.IOException] {
            # A full disk is one more reason to empty the log.
            $problem = $_
            Clear-NodePath -LiteralPath "$path.1"
            $message = "$path was emptied without a copy: $($problem.Exception.GetBaseException().Message)"
            Write-NodeLog -Level warn -Step $Step['id'] -Message $message
        }
        $log.SetLength(0)
    } finally {
        $log.Dispose()
    }
    $false
}

function Save-NodeLogEnd {
    # Copies the end of a log: the whole log may be as large as the disk.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.IO.FileStream] $Log,
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [long] $Bytes
    )

    $copy = [System.IO.File]::Create((Resolve-NodePath -LiteralPath $LiteralPath))
    try {
        if ($Log.Length -gt $Bytes) { $Log.Position = $Log.Length - $Bytes }
        $Log.CopyTo($copy)
    } finally {
        $copy.Dispose()
    }
}

function Limit-NodeLog {
    # Deletes rotated logs of all services beyond their limit.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    foreach ($step in @(Get-NodeLogStep)) {
        if ($null -ne $step['log']) { Limit-NodeServiceLog -Log $step['log'] }
    }
}

function Limit-NodeServiceLog {
    # Deletes the oldest rotated logs of nssm or kube-log-runner: nssm deletes none, and kube-log-runner only by
    # age. Both put the time into the name.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Log)

    $folder = Get-NodeParent -LiteralPath $Log['path']
    if (-not (Test-Path -LiteralPath $folder)) { return }
    $name = $Log['path'].Substring($folder.Length).TrimStart('\')
    $base = [regex]::Escape($name.Substring(0, $name.LastIndexOf('.')))
    $rotated = @(Get-ChildItem -LiteralPath $folder -File | Where-Object -FilterScript {
            $_.Name -match "^$base-\d{8}[T-]\d{6}"
        } | Sort-Object -Property Name -Descending)
    foreach ($file in @($rotated | Select-Object -Skip $Log['maxFiles'])) {
        Clear-NodePath -LiteralPath "$folder\$($file.Name)"
    }
}
