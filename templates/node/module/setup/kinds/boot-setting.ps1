# bootSetting: a boolean setting of the boot configuration.

$script:StepKind['bootSetting'] = @{ Noun = 'NodeBootSetting'; Subject = 'name'; Reset = 'restore' }

# Names of boot settings and their elements in the BCD store; all of them are boolean.
# https://learn.microsoft.com/previous-versions/windows/desktop/bcd/bcdlibraryelementtypes
$script:BootElement = @{ testsigning = '16000049'; nointegritychecks = '16000048' }

function Get-NodeBootEntry {
    # Identifier of the default entry of Windows Boot Manager. bcdedit.exe prints in the machine's language; the
    # store is a registry hive. https://forensics.wiki/windows_boot_configuration_data/
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $manager = 'HKLM:\BCD00000000\Objects\{9dea862c-5cdd-4e70-acc1-f32b344d4795}\Elements\23000003'
    $entry = Get-NodeRegistryData -Key $manager -Name 'Element'
    if (-not $entry) { throw 'the boot configuration has no default entry' }
    $entry
}

function Get-NodeBootData {
    # The element of a setting in the store, or $null if it is missing.
    [CmdletBinding()]
    [OutputType([byte[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $element = $script:BootElement[$Step['name']]
    if ($null -eq $element) { throw "unknown boot setting: $($Step['name'])" }
    $key = 'HKLM:\BCD00000000\Objects\{0}\Elements\{1}' -f (Get-NodeBootEntry), $element
    , (Get-NodeRegistryData -Key $key -Name 'Element')
}

function Get-NodeBootSetting {
    # 'on' or 'off'; a missing setting is off.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $bytes = Get-NodeBootData -Step $Step
    if ($null -ne $bytes -and $bytes[0] -ne 0) { 'on' } else { 'off' }
}

function Test-NodeBootSetting {
    # True if the boot configuration has this value; it takes effect at the next boot.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeBootSetting -Step $Step
    if ($found -ne $Step['value']) { Write-NodeDetail -Text "is $found, expected $($Step['value'])" }
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
    # The previous setting.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ value = Get-NodeBootSetting -Step $Step; there = $null -ne (Get-NodeBootData -Step $Step) }
}

function Restore-NodeBootSetting {
    # Restores the previous setting.
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
    # bcdedit.exe does not delete a setting that is missing: exit code 1.
    # https://github.com/WOA-Project/WoA-Installer-Rpi/issues/13
    if ($Before['there'] -or $null -ne (Get-NodeBootData -Step $Step)) {
        $null = Invoke-Native -FilePath 'bcdedit.exe' -ArgumentList $arguments
    }
    $true
}
