# logRotation: rotates a log that its program does not rotate.

$script:StepKind['logRotation'] = @{ Noun = 'NodeLogRotation'; Subject = 'path'; Reset = 'keep' }

function Set-NodeLogRotation {
    # Copies the end of the log and empties it. Its program keeps the file open, so it cannot be renamed. Lines
    # written between the two are lost.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $Step['path']
    if (-not $PSCmdlet.ShouldProcess($path, 'rotate log')) { return }
    $kept = [int]$Step['maxFiles']
    for ($index = $kept + 1; Test-Path -LiteralPath "$path.$index"; $index++) {
        Clear-NodePath -LiteralPath "$path.$index"
    }
    if ((Get-Item -LiteralPath $path).Length -le $Step['maxSizeMiB'] * 1MB) { return }
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
            Clear-NodePath -LiteralPath "$path.1"
            $message = "$path was emptied without a copy: $($_.Exception.GetBaseException().Message)"
            Write-NodeLog -Level warn -Step $Step['id'] -Message $message
        }
        $log.SetLength(0)
    } finally {
        $log.Dispose()
    }
}

function Save-NodeLogEnd {
    # Copies the end of a log: the whole log may be as large as the disk.
    [CmdletBinding()]
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
    # Deletes the oldest rotated logs of all services, beyond their number: nssm deletes none, and kube-log-runner
    # only by age.
    [CmdletBinding()]
    param()

    foreach ($step in @(Get-NodeLogStep)) {
        if ($null -eq $step['log']) { continue }
        foreach ($path in @(Get-NodeExcessLog -Log $step['log'])) { Clear-NodePath -LiteralPath $path }
    }
}
