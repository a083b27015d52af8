# Install-Node: the phases image and boot.

function Install-Node {
    <#
        .SYNOPSIS
            Brings this machine to the state that node.json describes, as far as a phase goes.

        .DESCRIPTION
            image: before any cluster is known. boot: brings a machine that has joined back to what is
            described. Returns one result, with the exit code that it asks for.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [ValidateSet('image', 'boot')] [string] $Phase = 'image',
        # Exit code that asks the caller for a restart.
        [Parameter()] [int] $RestartExitCode = 3010,
        # Replaces programs although pods run that nothing would bring back.
        [Parameter()] [switch] $Force
    )

    # ShouldProcess would print among the JSON; the walker itself says what would change.
    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'install')
    $open = @{ Path = $Path; Writes = $writes; Force = $Force }
    # The loop comes again in any case.
    if ($Phase -eq 'boot') { $open['Patience'] = 0 }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), phase $Phase"
        if ($Phase -eq 'boot') {
            $until = Get-NodeSuspension
            if (-not $script:Run.State['joined']) {
                $script:Run.Message = 'the machine has not joined yet, so there is nothing to do'
            } elseif ($until -ne '') {
                $script:Run.Message = "the loop is suspended until $until"
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
        if ($well) { Clear-NodeOrphan }
        Complete-NodeRun -Well $well
        if ($well -and $script:Run.State['joined']) { Test-NodeRenewal }
    }
}
