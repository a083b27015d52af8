# Waits for the end of a join: a Node that is Ready.

function Wait-NodeReady {
    # Asks the cluster with the node's own credentials until its Node is Ready; notes what is missing at the end.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $step = Get-NodeJoinStep
    if ($null -eq $step) { return }
    $told = ''
    while ($true) {
        $lack = Get-NodeReadiness -Member (Get-NodeMember -Step $step)
        if ($lack -eq '') {
            Write-NodeLine -Text 'The Node is Ready.'
            return
        }
        if ((Read-NodeClock) -ge $script:Run.Deadline) { break }
        if ($lack -cne $told) { Write-NodeRow -Place '' -State 'waiting' -Id 'ready' -Text $lack }
        $told = $lack
        $null = Read-NodeClock -After 5
    }
    $script:Run.Lack = $lack
    $script:Run.Message = "the machine has joined, and $lack"
    Write-NodeLog -Level fail -Step 'ready' -Message $lack
}
