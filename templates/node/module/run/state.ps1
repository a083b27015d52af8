# The memory of earlier runs, as it is read.

# Which memory this module writes. It reads no other: what it does not understand it would write over.
$script:StateVersion = 'winnode/v2'

# What each part of the memory is.
$script:StateShape = [ordered]@{
    joined = 'truth'; boot = 'text'; bundle = 'text'; suspended = 'text'
    restarts = 'texts'; stopped = 'texts'; folders = 'texts'; registryKeys = 'texts'
    before = 'map'; networks = 'map'; health = 'map'; reads = 'map'; routes = 'map'; receipts = 'map'
}

$script:EmptyState = @{
    truth = { $false }
    text  = { '' }
    texts = { , @() }
    map   = { New-Object -TypeName System.Collections.Specialized.OrderedDictionary }
}

function Read-NodeState {
    # The memory of earlier runs, or an empty one.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    # A power cut while it was replaced leaves it under the name of the old one.
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
            throw "the memory in $path cannot be used: $why; nothing was changed. $(Get-NodeStateRemedy)"
        }
        $script:Run.StateText = $text
    }
    Complete-NodeState -State $state
}

function Complete-NodeState {
    # A memory with all its parts.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $State)

    foreach ($name in @($script:StateShape.Keys)) {
        if (-not $State.Contains($name)) { $State[$name] = & $script:EmptyState[$script:StateShape[$name]] }
    }
    $State
}

function Find-NodeState {
    # The memory where it can be used, else an empty one and a note why: a report is wanted then, too.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    try {
        Assert-NodeMemory
        Read-NodeState -LiteralPath $script:Run.StateFile
    } catch {
        $problem = $_
        $script:Run.Refused = $false
        $null = Add-NodeUnread -What $script:Run.StateFile -Why $problem.Exception.Message
        Complete-NodeState -State ([ordered]@{ apiVersion = $script:StateVersion; kind = 'NodeState' })
    }
}

function Get-NodeStateFault {
    # Why this is no memory of ours; nothing where it is one.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyCollection()] [object] $State)

    if ($State -isnot [System.Collections.IDictionary]) { return 'it is no map' }
    if ($State['kind'] -cne 'NodeState') { return 'it is no NodeState' }
    if ($State['apiVersion'] -cne $script:StateVersion) {
        return "it is of $($State['apiVersion']), and this winnode knows $($script:StateVersion)"
    }
    foreach ($name in @($State.Keys)) {
        if ($name -cin 'apiVersion', 'kind') { continue }
        if (-not $script:StateShape.Contains($name)) { return "this winnode does not know its part $name" }
        $shape = $script:StateShape[$name]
        if (-not (Test-NodeShape -Value $State[$name] -Shape $shape)) { return "its $name is wrong" }
    }
    foreach ($entry in @(if ($State['before']) { $State['before'].GetEnumerator() })) {
        $good = (Test-NodeShape -Value $entry.Value -Shape map) -and
        (Test-NodeShape -Value $entry.Value['step'] -Shape map) -and
        (Test-NodeShape -Value $entry.Value['step']['kind'] -Shape text) -and
        $script:StepKind.ContainsKey($entry.Value['step']['kind']) -and $entry.Value.Contains('was')
        if (-not $good) { return "its note of $($entry.Key) is wrong" }
    }
    foreach ($entry in @(if ($State['receipts']) { $State['receipts'].GetEnumerator() })) {
        $good = (Test-NodeShape -Value $entry.Value -Shape map) -and
        (Test-NodeShape -Value $entry.Value['files'] -Shape map)
        if (-not $good) { return "its receipt of $($entry.Key) is wrong" }
    }
}

function Test-NodeShape {
    # Whether a value is what it should be.
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
    # What a person does about it.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $good = "$($script:Run.StateFile).good"
    if (Test-Path -LiteralPath $good) {
        $how = "$good is how it was before the last run that changed it"
        return "${how}: copy it over $($script:Run.StateFile) and run this again; what that run noted is lost"
    }
    "Use the winnode that wrote it, or move $($script:Run.StateFile) away: then nothing is known of before"
}
