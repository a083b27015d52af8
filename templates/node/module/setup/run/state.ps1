# Reads the state file, which earlier runs wrote.

# The version of the state file. Another version is rejected, because this module would lose what it does not know.
$script:StateVersion = 'winnode/v2'

# The type of each part of the state.
$script:StateShape = [ordered]@{
    joined = 'truth'; boot = 'text'; bundle = 'text'; suspended = 'text'; address = 'text'
    restarts = 'texts'; stopped = 'texts'; folders = 'texts'; registryKeys = 'texts'
    before = 'map'; networks = 'map'; health = 'map'; reads = 'map'; routes = 'map'; receipts = 'map'
    hns = 'map'; starts = 'map'; looped = 'text'; doubts = 'texts'; windows = 'map'
    seen = 'map'
}

$script:EmptyState = @{
    truth = { $false }
    text  = { '' }
    texts = { , @() }
    map   = { New-Object -TypeName System.Collections.Specialized.OrderedDictionary }
}

function Read-NodeState {
    # The state of earlier runs, or an empty one.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    # After a power cut while the file was replaced, only the renamed old file may exist.
    $paths = @($LiteralPath, "$LiteralPath.winnode-old" | Where-Object -FilterScript { Test-Path -LiteralPath $_ })
    $state = [ordered]@{ apiVersion = $script:StateVersion; kind = 'NodeState' }
    if ($paths.Count -gt 0) {
        $path = $paths[0]
        $text = Read-NodeText -LiteralPath $path
        try {
            $state = ConvertFrom-NodeJson -Text $text
            $why = Get-NodeStateFault -State $state
        } catch {
            $why = $_.Exception.Message
        }
        if ($why) {
            $script:Run.Refused = $true
            throw "the state file $path cannot be used: $why; nothing was changed. $(Get-NodeStateRemedy)"
        }
        $script:Run.StateText = $text
    }
    Complete-NodeState -State $state
}

function Complete-NodeState {
    # Adds missing parts to a state.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $State)

    foreach ($name in @($script:StateShape.Keys)) {
        if (-not $State.Contains($name)) { $State[$name] = & $script:EmptyState[$script:StateShape[$name]] }
    }
    $State
}

function Find-NodeState {
    # The state if it can be used, otherwise an empty one and a recorded reason: a report is useful in that case,
    # too.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    try {
        Assert-NodeNoStranger -Why @(Get-NodeMemoryDistrust)
        Read-NodeState -LiteralPath $script:Run.StateFile
    } catch {
        $script:Run.Refused = $false
        $null = Add-NodeReadFailure -What $script:Run.StateFile -Why $_.Exception.Message
        Complete-NodeState -State ([ordered]@{ apiVersion = $script:StateVersion; kind = 'NodeState' })
    }
}

function Get-NodeStateFault {
    # The reason why this is not a valid state, or nothing.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyCollection()] [object] $State)

    if ($State -isnot [System.Collections.IDictionary]) { return 'it is not an object' }
    if ($State['kind'] -cne 'NodeState') { return 'its kind is not NodeState' }
    if ($State['apiVersion'] -cne $script:StateVersion) {
        return "its apiVersion is $($State['apiVersion']), expected $($script:StateVersion)"
    }
    foreach ($name in @($State.Keys)) {
        if ($name -cin 'apiVersion', 'kind') { continue }
        if (-not $script:StateShape.Contains($name)) { return "unknown field $name" }
        $shape = $script:StateShape[$name]
        if (-not (Test-NodeShape -Value $State[$name] -Shape $shape)) { return "its field $name is invalid" }
    }
    foreach ($entry in @(if ($State['before']) { $State['before'].GetEnumerator() })) {
        $good = (Test-NodeShape -Value $entry.Value -Shape map) -and
        (Test-NodeShape -Value $entry.Value['step'] -Shape map) -and
        (Test-NodeShape -Value $entry.Value['step']['kind'] -Shape text) -and
        $script:StepKind.ContainsKey($entry.Value['step']['kind']) -and $entry.Value.Contains('was')
        if (-not $good) { return "its entry before.$($entry.Key) is invalid" }
    }
    foreach ($entry in @(if ($State['receipts']) { $State['receipts'].GetEnumerator() })) {
        $good = (Test-NodeShape -Value $entry.Value -Shape map) -and
        (Test-NodeShape -Value $entry.Value['files'] -Shape map)
        if (-not $good) { return "its entry receipts.$($entry.Key) is invalid" }
    }
}

function Test-NodeShape {
    # Whether a value has the expected type.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyString()] [AllowEmptyCollection()] [object] $Value,
        [Parameter(Mandatory = $true)] [ValidateSet('truth', 'text', 'texts', 'map')] [string] $Shape
    )

    switch ($Shape) {
        'truth' { $Value -is [bool] }
        'text' { $Value -is [string] }
        'map' { $Value -is [System.Collections.IDictionary] }
        'texts' {
            $Value -is [System.Collections.IList] -and
            @($Value | Where-Object -FilterScript { $_ -isnot [string] }).Count -eq 0
        }
    }
}

function Get-NodeStateRemedy {
    # The remedy for a state file that cannot be used.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $good = "$($script:Run.StateFile).good"
    if (Test-Path -LiteralPath $good) {
        $how = "$good is the version before the last run that changed it"
        return "${how}: copy it to $($script:Run.StateFile) and rerun; the entries of that run are lost"
    }
    "Use the winnode version that wrote it, or move $($script:Run.StateFile) away: Reset then restores nothing"
}
