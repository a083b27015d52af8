# Walks the steps of a phase in their order.

# All phases, in the order in which a machine goes through them.
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
    # Walks steps in their order. A failure stops the walk; what waits for a restart holds back only those
    # that come after it. Whether all is well.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Step,
        [Parameter()] [switch] $TestOnly
    )

    $failed = $false
    # What is held back, and the steps whose restart it waits for.
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
            $why = "for a restart: $($for -join ', ')"
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
