# Resets steps of earlier bundles that are not in this one.

# Kinds that Install resets: nothing runs in them or depends on them. The others remain until Reset.
$script:TakenBack = @(
    'directory', 'file', 'derivedFile', 'download'
    'registryValue', 'firewallRule', 'pathEntry', 'defenderExclusion', 'excludedPorts'
)

function Reset-NodeOrphan {
    # Resets steps that are not in this bundle, in reverse order: folders, or all others.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter()] [switch] $Folder)

    if (-not $WhatIfPreference -and -not $PSCmdlet.ShouldProcess('an earlier bundle', 'reset')) { return }
    $steps = @(Get-NodeOrphan | Where-Object -FilterScript { ($_['kind'] -ceq 'directory') -eq [bool]$Folder })
    for ($index = $steps.Count - 1; $index -ge 0; $index--) {
        $script:Run.Place = 'earlier'
        Add-NodeResult -Result (Reset-NodeStep -Step $steps[$index]) -Step $steps[$index]
    }
}

function Add-NodeOrphan {
    # Reports what is left of an earlier bundle. It is not a difference, because only Reset removes some of it.
    [CmdletBinding()]
    param()

    $rest = @(foreach ($step in @(Get-NodeOrphan)) { '{0} {1}' -f $step['kind'], (Get-NodeSubject -Step $step) })
    if ($rest.Count -eq 0) { return }
    $message = "left of an earlier bundle: $($rest -join ', '); Install removes unused parts, Reset all of them"
    Add-NodePreflight -Id 'earlier-bundle' -Verdict warn -Passed $false -Message $message
}

function Clear-NodeOrphan {
    # The part of it that Install resets. A file that the administrator provides for this bundle, or that a program
    # writes, is not removed; what cannot be removed now stays recorded.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    $used = @(Get-NodeDocumentPath)
    $rest = @()
    $steps = @(Get-NodeOrphan)
    for ($index = $steps.Count - 1; $index -ge 0; $index--) {
        $step = $steps[$index]
        if ($script:TakenBack -cnotcontains $step['kind'] -or $used -contains $step['path']) {
            $rest += '{0} {1}' -f $step['kind'], (Get-NodeSubject -Step $step)
            continue
        }
        if (-not $PSCmdlet.ShouldProcess($step['id'], 'reset')) { continue }
        $script:Run.Place = 'earlier'
        $result = Reset-NodeStep -Step $step
        # The program may still run.
        if ($result['state'] -ceq 'Failed') { $result['state'] = 'Kept' }
        if ($result['state'] -cne 'Kept') { Add-NodeResult -Result $result -Step $step; continue }
        $rest += '{0} {1}' -f $step['kind'], (Get-NodeSubject -Step $step)
    }
    if ($rest.Count -eq 0) { return }
    $script:Run.Message = "left of an earlier bundle until Reset: $($rest -join ', ')"
}
