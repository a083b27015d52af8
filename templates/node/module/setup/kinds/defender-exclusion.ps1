# defenderExclusion: a process or folder exclusion of Microsoft Defender, if Defender is active.

$script:StepKind['defenderExclusion'] = @{
    Noun    = 'NodeDefenderExclusion'
    Subject = 'path'
    Key     = @('of', 'path')
    Reset   = 'restore'
}

function Get-NodeDefender {
    # Defender's settings, or nothing if it is absent or off. Both are common: it yields to other scanners, and can
    # be uninstalled from Windows Server.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    if ($null -eq (Get-Command -Name 'Get-MpPreference' -ErrorAction SilentlyContinue)) { return }
    try {
        Get-MpPreference -ErrorAction Stop
    } catch {
        Write-NodeLog -Level warn -Step '' -Message "Defender does not answer: $($_.Exception.Message)"
    }
}

function Test-NodeDefenderExclusion {
    # True if the process or folder is excluded, or Defender is not active.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $defender = Get-NodeDefender
    if ($null -eq $defender) {
        Write-NodeDetail -Text 'Microsoft Defender is not active'
        return $true
    }
    $list = if ($Step['of'] -eq 'process') { $defender.ExclusionProcess } else { $defender.ExclusionPath }
    $found = @($list) -contains $Step['path']
    if (-not $found) { Write-NodeDetail -Text 'not excluded' }
    $found
}

function Set-NodeDefenderExclusion {
    # Excludes the process or folder.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['path'], 'exclude from Defender')) {
        if ($Step['of'] -eq 'process') {
            Add-MpPreference -ExclusionProcess $Step['path'] -ErrorAction Stop
        } else {
            Add-MpPreference -ExclusionPath $Step['path'] -ErrorAction Stop
        }
    }
}

function Restore-NodeDefenderExclusion {
    # Removes the exclusion.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($null -ne (Get-NodeDefender) -and $PSCmdlet.ShouldProcess($Step['path'], 'include in Defender')) {
        if ($Step['of'] -eq 'process') {
            Remove-MpPreference -ExclusionProcess $Step['path'] -ErrorAction Stop
        } else {
            Remove-MpPreference -ExclusionPath $Step['path'] -ErrorAction Stop
        }
    }
}
