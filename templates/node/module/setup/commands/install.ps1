# Install-Node: the phases image and boot.

function Install-Node {
    <#
        .SYNOPSIS
            Configures this machine as node.json describes, for one phase.

        .DESCRIPTION
            image: before the machine joins a cluster. boot: reconciles a machine that has joined. Returns one
            result with an exit code.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder with node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [ValidateSet('image', 'boot')] [string] $Phase = 'image',
        # Exit code that asks the caller for a restart.
        [Parameter()] [int] $RestartExitCode = 3010,
        # Replaces programs even if pods run that no DaemonSet would start again.
        [Parameter()] [switch] $Force
    )

    # ShouldProcess would print between the JSON lines; each step reports what would change.
    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'install')
    $open = @{ Path = $Path; Writes = $writes; Force = $Force }
    # The reconcile loop runs again soon: it does not wait for the lock.
    if ($Phase -eq 'boot') { $open['Patience'] = 0 }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), phase $Phase"
        if ($Phase -eq 'boot') {
            $until = Get-NodeSuspension
            if (-not $script:Run.State['joined']) {
                $script:Run.Message = 'the machine has not joined yet: nothing to do'
            } elseif ($until -ne '') {
                $script:Run.Message = "the reconcile loop is suspended until $until"
            } else {
                Invoke-NodeLoop
            }
            return
        }
        Invoke-NodePreflight -Phase image
        Assert-NodeOwner
        Assert-NodeSameNetwork
        Assert-NodeNotOlder
        if (-not (Test-NodeRefusal)) { Assert-NodeDrained }
        if (Test-NodeRefusal) { return }
        if (-not $WhatIfPreference) { Save-NodeBundle }
        $well = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase image)
        if ($WhatIfPreference) { return }
        if ($well) {
            Clear-NodeOrphan
            Save-NodeWindows
        }
        Complete-NodeRun -Well $well
        if ($well -and $script:Run.State['joined']) { Test-NodeRenewal }
    }
}
