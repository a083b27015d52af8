# Test-Node: every step tested, none changed.

function Test-Node {
    <#
        .SYNOPSIS
            Says whether this machine still is what node.json describes; changes nothing.

        .DESCRIPTION
            Without -Phase: the steps of the image, and once the machine has joined all others too. Exit code
            0 where nothing differs and a member works, 4 where something differs, 6 where something could not be
            read, 7 where all is as described and a member does not work.
    #>
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [ValidateSet('', 'image', 'beforeJoin', 'join', 'afterJoin', 'boot')] [string] $Phase = '',
        # Asks again until nothing is left to say, for so many minutes.
        [Parameter()] [switch] $Wait,
        [Parameter()] [int] $TimeoutMinutes = 10,
        # Also says what of this machine an image of it would hold.
        [Parameter()] [switch] $Image
    )

    $end = (Read-NodeClock).AddMinutes($TimeoutMinutes)
    while ($true) {
        $result = Invoke-NodeTest -Path $Path -Phase $Phase -Image:$Image
        # Only what is otherwise, unread or out of order may pass by itself.
        $passes = $result['exitCode'] -in 4, 6, 7
        if (-not $Wait -or -not $passes -or (Read-NodeClock) -ge $end) { return $result }
        $null = Read-NodeClock -After 15
    }
}

function Invoke-NodeTest {
    # All of it, once.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Phase,
        [Parameter()] [switch] $Image
    )

    Invoke-NodeRun -Open @{ Path = $Path } -Kind NodeSnapshot -RestartExitCode 0 -Body {
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), test"
        # A join that has not ended well is a difference, too.
        $begun = (Get-NodeJoinState) -cnotin 'none', 'prepared'
        $phases = if ($script:Run.State['joined'] -or $begun) { $script:Phases } else { 'image' }
        if ($Phase -ne '') { $phases = $Phase }
        # Asked for alone it comes before somebody else's kubeadm, which has a token and a discovery of its own.
        $script:Run.Elsewhere = $Phase -ceq 'beforeJoin'
        foreach ($one in $phases) { Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
        # Files that somebody brought and the update of Windows belong to what is described, though no step
        # makes them.
        $last = @('beforeJoin', 'image' | Where-Object -FilterScript { $phases -ccontains $_ })
        $kinds = 'filePresent', 'revisionNotBetween', 'revisionAtLeast'
        if ($last.Count -gt 0) { Invoke-NodePreflight -Phase $last[0] -Kind $kinds }
        Assert-NodeOwner -Installed
        if ($Phase -eq '') { Add-NodeOrphan }
        if ($script:Run.State['joined'] -and $Phase -eq '') {
            Add-NodeSymptom
            Add-NodeHealth
        }
        if ($Image) { Add-NodeIdentity }
        if (Test-NodeRefusal) { $script:Run.Message = "not as described: $(@(Get-NodeRefusal) -join ', ')" }
    }
}

function Add-NodeIdentity {
    # Tells what of this machine an image of it would hold.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    foreach ($row in @(Get-NodeIdentity)) {
        $message = if ($row.Found.Count -eq 0) { 'an image may be made' } else { $row.Found -join ', ' }
        Add-NodePreflight -Id $row.Id -Verdict fail -Passed ($row.Found.Count -eq 0) -Message $message
    }
}
