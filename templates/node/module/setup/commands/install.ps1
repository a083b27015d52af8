# Install-Node: the phases image and boot.

function Install-Node {
    # Runs the phase image or boot. Install-WinNode.ps1 has the help.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [ValidateSet('image', 'boot')] [string] $Phase = 'image',
        [Parameter()] [int] $RestartExitCode = 3010,
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
                Start-NodeOnDemand
            } else {
                try { Invoke-NodeReconcile } catch {
                    if (-not $WhatIfPreference) { Start-NodeNextRun }
                    throw
                }
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
