# bootSetting: a switch of the boot configuration.

$script:StepKind['bootSetting'] = @{ Noun = 'NodeBootSetting'; Subject = 'name'; Reset = 'restore' }

# Names of boot settings and their elements in the store; all of them are on or off.
# https://learn.microsoft.com/previous-versions/windows/desktop/bcd/bcdlibraryelementtypes
$script:BootElement = @{ testsigning = '16000049'; nointegritychecks = '16000048' }

function Get-NodeBootEntry {
    # Identifier of the entry that Windows starts by default. bcdedit.exe prints in the language of the
    # machine; the store is a hive. https://forensics.wiki/windows_boot_configuration_data/
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $manager = 'HKLM:\BCD00000000\Objects\{9dea862c-5cdd-4e70-acc1-f32b344d4795}\Elements\23000003'
    $entry = Get-NodeRegistryData -Key $manager -Name 'Element'
    if (-not $entry) { throw 'the boot configuration names no default entry' }
    $entry
}

function Get-NodeBootData {
    # The element of a setting in the store, or $null where there is none.
    [CmdletBinding()]
    [OutputType([byte[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $element = $script:BootElement[$Step['name']]
    if ($null -eq $element) { throw "unknown boot setting: $($Step['name'])" }
    $key = 'HKLM:\BCD00000000\Objects\{0}\Elements\{1}' -f (Get-NodeBootEntry), $element
    , (Get-NodeRegistryData -Key $key -Name 'Element')
}

function Get-NodeBootSetting {
    # 'on' or 'off'; a setting that is not there is off.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $bytes = Get-NodeBootData -Step $Step
    if ($null -ne $bytes -and $bytes[0] -ne 0) { 'on' } else { 'off' }
}

function Test-NodeBootSetting {
    # True when the boot configuration says so; it counts from the next start.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeBootSetting -Step $Step
    if ($found -ne $Step['value']) { Write-NodeDetail -Text "it is $found" }
    $found -eq $Step['value']
}

function Set-NodeBootSetting {
    # Changes the boot configuration.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], "set to $($Step['value'])")) { return $false }
    $arguments = '/set', (Get-NodeBootEntry), $Step['name'], $Step['value']
    $null = Invoke-Native -FilePath 'bcdedit.exe' -ArgumentList $arguments
    $true
}

function Backup-NodeBootSetting {
    # The setting before.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ value = Get-NodeBootSetting -Step $Step; there = $null -ne (Get-NodeBootData -Step $Step) }
}

function Restore-NodeBootSetting {
    # Puts the setting before back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['name'], "restore to $($Before['value'])")) { return $false }
    $arguments = if ($Before['there']) { '/set', (Get-NodeBootEntry), $Step['name'], $Before['value'] } else {
        '/deletevalue', (Get-NodeBootEntry), $Step['name']
    }
    $null = Invoke-Native -FilePath 'bcdedit.exe' -ArgumentList $arguments
    $true
}
