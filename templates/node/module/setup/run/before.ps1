# Saves the state before the first change under a stable key: ids and paths of steps change between bundles.

function Get-NodeStateKey {
    # The key of a step's saved state: files by their path, whichever kind of step writes them.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $kind = $script:StepKind[$Step['kind']]
    $class = if ($kind.ContainsKey('Class')) { $kind.Class } else { $Step['kind'] }
    $names = if ($kind.ContainsKey('Key')) { $kind.Key } else { @($kind.Subject) }
    $values = @($names | ForEach-Object -Process { "$($Step[$_])" })
    # Windows ignores case in all of them.
    (@($class) + $values -join ' ').ToLowerInvariant()
}

function Get-NodePart {
    # The parts of a step that are saved separately: each file of an archive, otherwise the step itself.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($Step['kind'] -cne 'archive') { return $Step }
    foreach ($member in $Step['members']) {
        [ordered]@{ id = $Step['id']; kind = 'download'; path = $member['path'] }
    }
}

function Test-NodeStateSaved {
    # Whether a previous state is saved for a step.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($part in @(Get-NodePart -Step $Step)) {
        if ($script:Run.State['before'].Contains((Get-NodeStateKey -Step $part))) { return $true }
    }
    $false
}

function Get-NodeBefore {
    # The state before the first change, or nothing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $entry = $script:Run.State['before'][(Get-NodeStateKey -Step $Step)]
    if ($null -eq $entry) { return , $null }
    , $entry['was']
}

# Properties of a step that define its desired state; Restore does not need them.
$script:Unkept = @(
    'phase', 'source', 'sha256', 'url', 'copy', 'format', 'value', 'type'
    'displayName', 'description', 'group', 'protocol', 'ports', 'start', 'scm', 'wrapper'
)

function Write-NodeBefore {
    # Saves the previous state, with the properties that Restore needs: the next bundle may not contain the step.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Value
    )

    $plain = [ordered]@{}
    foreach ($name in @($Step.Keys)) {
        if ($script:Unkept -ccontains $name) { continue }
        if ($Step[$name] -is [string] -or $Step[$name] -is [bool]) { $plain[$name] = $Step[$name] }
    }
    $script:Run.State['before'][(Get-NodeStateKey -Step $Step)] = [ordered]@{ step = $plain; was = $Value }
    Save-NodeState
}

function Get-NodeOrphan {
    # Steps that have a saved state but are not in this bundle: an earlier bundle had them.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary[]])]
    param()

    $about = @(foreach ($step in $script:Run.Document['steps']) {
            foreach ($part in @(Get-NodePart -Step $step)) { Get-NodeStateKey -Step $part }
        })
    foreach ($entry in $script:Run.State['before'].GetEnumerator()) {
        if ($about -cnotcontains $entry.Key) { $entry.Value['step'] }
    }
}
