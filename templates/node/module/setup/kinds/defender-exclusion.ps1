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

function Get-NodeDefenderList {
    # Defender's exclusions of a step's kind. If a policy hides them, its only entry begins with N/A.
    # https://github.com/HotCakeX/Harden-Windows-Security/issues/151
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [object] $Defender,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step
    )

    if ($Step['of'] -eq 'process') { $Defender.ExclusionProcess } else { $Defender.ExclusionPath }
}

function Test-NodeDefenderExclusion {
    # True if the process or folder is excluded, or Defender is not active, or a policy decides: one hides the
    # exclusions also from administrators, and with another Defender accepts an exclusion and ignores it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $defender = Get-NodeDefender
    if ($null -eq $defender) {
        Write-NodeDetail -Text 'Microsoft Defender is not active'
        return $true
    }
    $list = @(Get-NodeDefenderList -Defender $defender -Step $Step)
    if ($list -contains $Step['path']) { return $true }
    # Whether Defender listed it when it was added; nothing if it was not added.
    $listed = Get-NodeBefore -Step $Step
    if ($null -ne $listed -and (-not $listed -or $list -like 'N/A:*')) {
        $text = 'added, but Defender does not list it: a policy hides or ignores exclusions'
        Write-NodeDetail -Text $text
        Write-NodeLog -Level warn -Step $Step['id'] -Message $text
        return $true
    }
    Write-NodeDetail -Text 'not excluded'
    $false
}

function Set-NodeDefenderExclusion {
    # Excludes the process or folder, and records whether Defender lists it then.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['path'], 'exclude from Defender')) {
        if ($Step['of'] -eq 'process') {
            Add-MpPreference -ExclusionProcess $Step['path'] -ErrorAction Stop
        } else {
            Add-MpPreference -ExclusionPath $Step['path'] -ErrorAction Stop
        }
        $defender = Get-NodeDefender
        $listed = $null -ne $defender -and
        @(Get-NodeDefenderList -Defender $defender -Step $Step) -contains $Step['path']
        Write-NodeBefore -Step $Step -Value $listed
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
