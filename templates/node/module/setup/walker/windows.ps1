# Reports to administrators that Windows was updated since Install, which is no difference.

function Get-NodeWindows {
    # Build and update revision of Windows, such as 20348.5020.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    '{0}.{1}' -f (Get-NodeBuild), (Get-NodeRevision)
}

function Save-NodeWindows {
    # Records the version of Windows at Install.
    [CmdletBinding()]
    param()

    $now = Get-NodeWindows
    $state = $script:Run.State
    if ($state['windows']['installed'] -ceq $now -and $state['windows']['seen'] -ceq $now) { return }
    $state['windows'] = [ordered]@{ installed = $now; seen = $now }
    Save-NodeState
}

function Get-NodeWindowsUpdate {
    # That Windows was updated since Install, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $was = "$($script:Run.State['windows']['installed'])"
    $now = Get-NodeWindows
    if ($was -eq '' -or $was -ceq $now) { return '' }
    "Windows was updated: it is $now, and was $was at Install"
}

function Add-NodeWindowsUpdate {
    # Reports an update to the user of Test.
    [CmdletBinding()]
    param()

    $text = Get-NodeWindowsUpdate
    if ($text -eq '') { return }
    Add-NodePreflight -Id 'windows-update' -Verdict warn -Passed $false -Message $text
}

# The event of an update.
$script:UpdateEvent = 121

function Save-NodeWindowsUpdate {
    # Writes one event for each update.
    [CmdletBinding()]
    param()

    $text = Get-NodeWindowsUpdate
    $seen = $script:Run.State['windows']
    $now = Get-NodeWindows
    if ($text -eq '' -or $seen['seen'] -ceq $now) { return }
    Write-NodeLog -Level info -Step '' -Message $text
    try {
        Write-NodeEvent -Id $script:UpdateEvent -Type Information -Text $text
    } catch {
        Write-NodeLog -Level warn -Step '' -Message "the event cannot be written: $($_.Exception.Message)"
    }
    $seen['seen'] = $now
    Save-NodeState
}
