# Test-Node: tests every step, and changes nothing.

function Test-Node {
    # Tests every step, and on a node that has joined its health. Test-WinNode.ps1 has the help.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [ValidateSet('', 'image', 'beforeJoin', 'join', 'afterJoin', 'boot')] [string] $Phase = '',
        [Parameter()] [switch] $Wait,
        [Parameter()] [int] $TimeoutMinutes = 10,
        [Parameter()] [switch] $Image
    )

    $end = (Read-NodeClock).AddMinutes($TimeoutMinutes)
    while ($true) {
        $result = Invoke-NodeTest -Path $Path -Phase $Phase -Image:$Image
        # Only differences, unread values and health may change without a run.
        $passes = $result['exitCode'] -in 4, 6, 7
        if (-not $Wait -or -not $passes -or (Read-NodeClock) -ge $end) { return $result }
        $null = Read-NodeClock -After 15
    }
}

function Invoke-NodeTest {
    # Runs all tests once.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Phase,
        [Parameter()] [switch] $Image
    )

    Invoke-NodeRun -Open @{ Path = $Path } -Kind NodeSnapshot -RestartExitCode 0 -Body {
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), test"
        # An incomplete join is a difference, too.
        $begun = (Get-NodeMembership).State -cnotin 'none', 'prepared'
        $phases = if ($script:Run.State['joined'] -or $begun) { $script:Phases } else { 'image' }
        if ($Phase -ne '') { $phases = $Phase }
        # Alone, this phase precedes the kubeadm of another program, which has its own token and discovery.
        $script:Run.Elsewhere = $Phase -ceq 'beforeJoin'
        foreach ($one in $phases) { Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
        # Files that the administrator provides, and the version of Windows, are part of the described state, but
        # no step creates them.
        $last = @('beforeJoin', 'image' | Where-Object -FilterScript { $phases -ccontains $_ })
        $kinds = 'filePresent', 'windowsBuild', 'revisionNotBetween', 'revisionAtLeast'
        if ($last.Count -gt 0) { Invoke-NodePreflight -Phase $last[0] -Kind $kinds }
        Assert-NodeOwner -Installed
        if ($Phase -eq '') {
            Add-NodeOrphan
            Add-NodeWindowsUpdate
        }
        if ($script:Run.State['joined'] -and $Phase -eq '') {
            # Not differences.
            foreach ($symptom in @(Get-NodeSymptom)) {
                $message = '{0} ({1})' -f $symptom['means'], $symptom['log']
                Add-NodePreflight -Id "symptom-$($symptom['id'])" -Verdict warn -Passed $false -Message $message
            }
            Add-NodeHealth
        }
        foreach ($row in @(if ($Image) { Get-NodeIdentity })) {
            $message = if ($row.Found.Count -eq 0) { 'ready for an image' } else { $row.Found -join ', ' }
            Add-NodePreflight -Id $row.Id -Verdict fail -Passed ($row.Found.Count -eq 0) -Message $message
        }
        if (Test-NodeRefusal) { $script:Run.Message = "not as described: $(@(Get-NodeRefusal) -join ', ')" }
    }
}
