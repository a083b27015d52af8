# What an earlier bundle put on the machine, and this one no longer has.

# Kinds that Install takes back: nothing runs in them, and nothing waits for them. The rest is known until Reset.
$script:TakenBack = @(
    'directory', 'file', 'derivedFile', 'download'
    'registryValue', 'firewallRule', 'pathEntry', 'defenderExclusion'
)

function Reset-NodeOrphan {
    # Takes back what no step of this bundle is about: folders, or all the rest, the latest first.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
    param([Parameter()] [switch] $Folder)

    if (-not $WhatIfPreference -and -not $PSCmdlet.ShouldProcess('an earlier bundle', 'take back')) { return }
    $steps = @(Get-NodeOrphan | Where-Object -FilterScript { ($_['kind'] -ceq 'directory') -eq [bool]$Folder })
    for ($index = $steps.Count - 1; $index -ge 0; $index--) {
        $script:Run.Place = 'earlier'
        Add-NodeResult -Result (Reset-NodeStep -Step $steps[$index]) -Step $steps[$index]
    }
}

function Add-NodeOrphan {
    # Says what of an earlier bundle is still here; it is no difference, as only Reset takes some of it back.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $rest = @(foreach ($step in @(Get-NodeOrphan)) { '{0} {1}' -f $step['kind'], (Get-NodeSubject -Step $step) })
    if ($rest.Count -eq 0) { return }
    $message = "$($rest -join ', '): Install takes back what nothing uses, Reset all of it"
    Add-NodePreflight -Id 'earlier-bundle' -Verdict warn -Passed $false -Message $message
}

function Clear-NodeOrphan {
    # What Install does about it. A file that this bundle expects somebody to bring, or a program to write, is none
    # of ours any more; what cannot go now stays known.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
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
        if (-not $PSCmdlet.ShouldProcess($step['id'], 'take back')) { continue }
        $script:Run.Place = 'earlier'
        $result = Reset-NodeStep -Step $step
        # A program that still runs.
        if ($result['state'] -ceq 'Failed') { $result['state'] = 'Kept' }
        if ($result['state'] -cne 'Kept') { Add-NodeResult -Result $result -Step $step; continue }
        $rest += '{0} {1}' -f $step['kind'], (Get-NodeSubject -Step $step)
    }
    if ($rest.Count -eq 0) { return }
    $script:Run.Message = "of an earlier bundle there is until Reset: $($rest -join ', ')"
}
