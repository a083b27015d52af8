# Opens and closes a run: bundle, state file, lock and log.

function Open-NodeRun {
    # Reads the bundle and the state file; a run that may change the machine also takes the lock and opens the log.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [switch] $Writes,
        # Continues without a state file that cannot be used, and records the reason.
        [Parameter()] [switch] $AnyMemory,
        [Parameter()] [switch] $Force,
        # Seconds to wait for another run to end.
        [Parameter()] [int] $Patience = $script:Limit.LockSeconds
    )

    if (-not [Environment]::Is64BitProcess) { throw 'this is the 32-bit PowerShell; run the 64-bit one' }
    # Not the result of an earlier run in the same PowerShell.
    $script:Maker = @{ Own = $null; Sid = '' }
    Initialize-NodeRun -Path $Path
    $bundle = $script:Run.Bundle
    $script:Run.Force = [bool]$Force
    $document = Read-NodeDocument -LiteralPath (Join-Path -Path $bundle -ChildPath 'node.json')
    $folder = $document['paths']['state']
    # The path as this machine names it, if it is on one of its drives.
    $script:Run.From = (Resolve-Path -LiteralPath $Path).Path.Replace('/', '\').TrimEnd('\')
    $script:Run.Document = $document
    $script:Run.StateFile = "$folder\state.json"
    Assert-NodeBundleFile
    if ($AnyMemory) {
        $script:Run.State = Find-NodeState
        return
    }
    Assert-NodeNoStranger -Why @(Get-NodeMemoryDistrust)
    if ($Writes) {
        Initialize-NodeFolder -LiteralPath $folder
        if ((Get-NodeAccess -LiteralPath $folder) -cne (ConvertTo-NodeAccess -Sddl $script:ProtectedFolder)) {
            Assert-NodeNoStranger -Why @(Protect-NodeFolder -LiteralPath $folder)
        }
        $script:Run.Lock = Lock-NodeState -LiteralPath "$folder\lock" -Seconds $Patience
        $script:Run.Log = Open-NodeLog -LiteralPath $document['paths']['log']
        Clear-NodeRequestFile
    }
    $script:Run.State = Read-NodeState -LiteralPath $script:Run.StateFile
}

function Clear-NodeRequestFile {
    # Deletes kubeconfigs and requests that a killed process has left; a process that runs deletes its own.
    [CmdletBinding()]
    param()

    $folder = $script:Run.Document['paths']['state']
    foreach ($file in @(Get-ChildItem -LiteralPath $folder -Filter 'request-*' -File)) {
        if ($file.Name -notmatch '^request-(\d{1,9})\.') { continue }
        if ($null -eq (Get-Process -Id $Matches[1] -ErrorAction SilentlyContinue)) {
            [System.IO.File]::Delete((Resolve-NodePath -LiteralPath "$folder\$($file.Name)"))
        }
    }
}

function Close-NodeRun {
    # Releases the lock and forgets the secrets.
    [CmdletBinding()]
    param()

    if ($null -ne $script:Run -and $null -ne $script:Run.Lock) { $script:Run.Lock.Dispose() }
    $script:Run = $null
}

function Read-NodeDocument {
    # Reads node.json, and rejects kinds that this module does not know.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $text = Read-NodeText -LiteralPath $LiteralPath
    $document = ConvertFrom-NodeJson -Text $text
    if ($document['apiVersion'] -cne 'winnode/v1' -or $document['kind'] -cne 'NodeDocument') {
        throw "$LiteralPath is not a NodeDocument (apiVersion winnode/v1)"
    }
    Assert-NodeSeal -LiteralPath $LiteralPath -Text $text -Document $document
    foreach ($step in $document['steps']) {
        if (-not $script:StepKind.ContainsKey($step['kind'])) { throw "unknown step kind: $($step['kind'])" }
    }
    foreach ($check in $document['preflight']) {
        if (-not $script:PreflightKind.ContainsKey($check['kind'])) {
            throw "unknown check kind: $($check['kind'])"
        }
    }
    foreach ($check in $document['health']) {
        if (-not $script:HealthKind.ContainsKey($check['kind'])) {
            throw "unknown check kind: $($check['kind'])"
        }
    }
    $document
}
