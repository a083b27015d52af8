# logRotation: a log that nothing else rotates stays small.

$script:StepKind['logRotation'] = @{ Noun = 'NodeLogRotation'; Subject = 'path'; Reset = 'keep' }

function Get-NodeLogStep {
    # The steps that have a log for us to rotate or to thin out.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $script:Run.Document['steps'] | Where-Object -FilterScript {
        $_['kind'] -ceq 'logRotation' -or ($_['kind'] -ceq 'service' -and $null -ne $_['log'])
    }
}

function Test-NodeLogRotation {
    # True when the log is not larger than it may be, and no more old ones lie beside it than may.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $Step['path']
    if (-not (Test-Path -LiteralPath $path)) { return $true }
    $size = (Get-Item -LiteralPath $path).Length
    $tooLarge = $size -gt $Step['maxSizeMiB'] * 1MB
    $tooMany = Test-Path -LiteralPath "$path.$($Step['maxFiles'] + 1)"
    if ($tooLarge -or $tooMany) { Write-NodeDetail -Text "it has $size bytes" }
    -not ($tooLarge -or $tooMany)
}

function Set-NodeLogRotation {
    # Copies its end aside and empties it: its writer keeps it open, so it cannot be renamed. What is written
    # between the two is lost.
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
            # A disk without room for a copy needs the room all the more.
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
    # Keeps the end of a log: what happened last counts, and all of it may be as large as the disk.
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
    # Takes away what was rotated and is one too many, of all services.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    foreach ($step in @(Get-NodeLogStep)) {
        if ($null -ne $step['log']) { Limit-NodeServiceLog -Log $step['log'] }
    }
}

function Limit-NodeServiceLog {
    # Takes the oldest logs away that nssm or kube-log-runner rotated: the one keeps all of them, the other goes by
    # their age alone. Both name them after the time.
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
