# Runs the steps of a phase in order.

# All phases, in order.
$script:Phases = 'image', 'beforeJoin', 'join', 'afterJoin', 'boot'

function Get-NodePhaseStep {
    # The steps of phases.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)]
        [ValidateSet('image', 'beforeJoin', 'join', 'afterJoin', 'boot')]
        [string[]] $Phase
    )

    $script:Run.Document['steps'] | Where-Object -FilterScript { $Phase -ccontains $_['phase'] }
}

function Invoke-NodePhase {
    # Runs steps in order. A failure stops the phase; a step that needs a restart delays only the steps that depend
    # on it. Returns whether no step failed.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Step,
        [Parameter()] [switch] $TestOnly
    )

    $failed = $false
    # Delayed steps, and the steps whose restart they need.
    $held = @{}
    foreach ($result in $script:Run.Steps) { if ($result['restart']) { $held[$result['id']] = $result['id'] } }
    $count = 0
    foreach ($one in $Step) {
        $count++
        $script:Run.Place = "$count/$($Step.Count)"
        $for = @($one['after'] | Where-Object -FilterScript { $held.ContainsKey($_) } |
                ForEach-Object -Process { $held[$_] } | Select-Object -Unique)
        if ($failed) {
            $result = ConvertTo-NodeStepResult -Step $one -State Skipped
        } elseif ($for.Count -gt 0 -and -not $TestOnly) {
            $why = "restart pending: $($for -join ', ')"
            $result = ConvertTo-NodeStepResult -Step $one -State Waiting -Detail $why
        } else {
            $result = Invoke-NodeStep -Step $one -TestOnly:$TestOnly
        }
        if ($result['restart']) {
            $held[$one['id']] = $one['id']
        } elseif ($result['state'] -eq 'Waiting') {
            $held[$one['id']] = $for
        }
        if ($result['state'] -eq 'Failed') { $failed = $true }
        Add-NodeResult -Result $result -Step $one
    }
    -not $failed
}
