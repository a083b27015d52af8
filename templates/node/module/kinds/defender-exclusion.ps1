# defenderExclusion: Defender leaves a program alone, where Defender is.

$script:StepKind['defenderExclusion'] = @{ Noun = 'NodeDefenderExclusion'; Subject = 'process'; Reset = 'restore' }

function Get-NodeDefender {
    # Defender's settings, or nothing where it is absent or off. Both are ordinary: other scanners take its
    # place, and Server can do without.
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
    # True when Defender leaves the program alone, or is not there.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $defender = Get-NodeDefender
    if ($null -eq $defender) {
        Write-NodeDetail -Text 'Microsoft Defender is not at work here'
        return $true
    }
    $found = @($defender.ExclusionProcess) -contains $Step['process']
    if (-not $found) { Write-NodeDetail -Text 'it is not excluded' }
    $found
}

function Set-NodeDefenderExclusion {
    # Excludes the program.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['process'], 'exclude from Defender')) {
        Add-MpPreference -ExclusionProcess $Step['process'] -ErrorAction Stop
    }
    $false
}

function Restore-NodeDefenderExclusion {
    # Takes the exclusion away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($null -ne (Get-NodeDefender) -and $PSCmdlet.ShouldProcess($Step['process'], 'include in Defender')) {
        Remove-MpPreference -ExclusionProcess $Step['process'] -ErrorAction Stop
    }
    $false
}
