# defenderExclusion: a process exclusion of Microsoft Defender, if Defender is active.

$script:StepKind['defenderExclusion'] = @{ Noun = 'NodeDefenderExclusion'; Subject = 'process'; Reset = 'restore' }

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
    # True if the process is excluded, or Defender is not active.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $defender = Get-NodeDefender
    if ($null -eq $defender) {
        Write-NodeDetail -Text 'Microsoft Defender is not active'
        return $true
    }
    $found = @($defender.ExclusionProcess) -contains $Step['process']
    if (-not $found) { Write-NodeDetail -Text 'not excluded' }
    $found
}

function Set-NodeDefenderExclusion {
    # Excludes the process.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['process'], 'exclude from Defender')) {
        Add-MpPreference -ExclusionProcess $Step['process'] -ErrorAction Stop
    }
    $false
}

function Restore-NodeDefenderExclusion {
    # Removes the exclusion.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($null -ne (Get-NodeDefender) -and $PSCmdlet.ShouldProcess($Step['process'], 'include in Defender')) {
        Remove-MpPreference -ExclusionProcess $Step['process'] -ErrorAction Stop
    }
    $false
}
