# What was there before the first change, by what it is about: ids and paths of steps change from bundle to bundle.

function Get-NodeAbout {
    # What a step is about, as its notes go by: files by their paths, whoever writes them.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $kind = $script:StepKind[$Step['kind']]
    $class = if ($kind.ContainsKey('Class')) { $kind.Class } else { $Step['kind'] }
    $names = if ($kind.ContainsKey('Key')) { $kind.Key } else { @($kind.Subject) }
    $values = @($names | ForEach-Object -Process { "$($Step[$_])" })
    # Windows takes no heed of capitals in any of them.
    (@($class) + $values -join ' ').ToLowerInvariant()
}

function Get-NodePart {
    # What of a step is noted by itself: each file of an archive, else the step.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($Step['kind'] -cne 'archive') { return $Step }
    foreach ($member in $Step['members']) {
        [ordered]@{ id = $Step['id']; kind = 'download'; path = $member['path'] }
    }
}

function Test-NodeNoted {
    # Whether something is noted of what a step is about.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($part in @(Get-NodePart -Step $Step)) {
        if ($script:Run.State['before'].Contains((Get-NodeAbout -Step $part))) { return $true }
    }
    $false
}

function Get-NodeBefore {
    # What was there before the first change, or nothing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $entry = $script:Run.State['before'][(Get-NodeAbout -Step $Step)]
    if ($null -eq $entry) { return , $null }
    , $entry['was']
}

# What of a step says how it should be, not what it is about: Restore has no use for it.
$script:Unkept = @(
    'phase', 'source', 'sha256', 'url', 'copy', 'format', 'value', 'type'
    'displayName', 'description', 'group', 'protocol', 'ports', 'start', 'scm', 'wrapper'
)

function Write-NodeBefore {
    # Notes what was there, with what Restore asks of the step: the next bundle may not have it.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Value
    )

    $plain = [ordered]@{}
    foreach ($name in @($Step.Keys)) {
        if ($script:Unkept -ccontains $name) { continue }
        if ($Step[$name] -is [string] -or $Step[$name] -is [bool]) { $plain[$name] = $Step[$name] }
    }
    $script:Run.State['before'][(Get-NodeAbout -Step $Step)] = [ordered]@{ step = $plain; was = $Value }
    Save-NodeState
}

function Clear-NodeBefore {
    # Forgets what is restored.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $script:Run.State['before'].Remove((Get-NodeAbout -Step $Step))
    Save-NodeState
}

function Get-NodeOrphan {
    # What is noted and no step of this bundle is about: an earlier bundle had it.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary[]])]
    param()

    $about = @(foreach ($step in $script:Run.Document['steps']) {
            foreach ($part in @(Get-NodePart -Step $step)) { Get-NodeAbout -Step $part }
        })
    foreach ($entry in $script:Run.State['before'].GetEnumerator()) {
        if ($about -cnotcontains $entry.Key) { $entry.Value['step'] }
    }
}
