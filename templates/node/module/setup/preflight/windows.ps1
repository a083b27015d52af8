# Checks of Windows: edition, build and patch level.

$script:PreflightKind['windowsServer'] = 'Test-NodeWindowsServer'
$script:PreflightKind['windowsBuild'] = 'Test-NodeWindowsBuild'
$script:PreflightKind['revisionNotBetween'] = 'Test-NodeRevisionNotBetween'
$script:PreflightKind['revisionAtLeast'] = 'Test-NodeRevisionAtLeast'

function Test-NodeWindowsServer {
    # Whether this is Windows Server.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $type = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'InstallationType')"
    Write-NodeDetail -Text "the installation type is '$type'"
    $type -in 'Server', 'Server Core'
}

function Test-NodeWindowsBuild {
    # Whether this is the build of Windows that the bundle is for.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $build = Get-NodeBuild
    $wanted = "$($Need['name']) ($($Need['build']))".Trim()
    Write-NodeDetail -Text "the build of Windows is $build, the bundle is for $wanted"
    $build -eq $Need['build']
}

function Test-NodeRevisionNotBetween {
    # Whether the patch level is outside a range with a known defect.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $revision = Get-NodeRevision
    $bad = $revision -ge $Need['from'] -and $revision -lt $Need['below']
    $why = if ($bad) { ": $($Need['effect']); $($Need['fix'])" } else { '' }
    Write-NodeDetail -Text "the revision of Windows is $revision$why"
    -not $bad
}

function Test-NodeRevisionAtLeast {
    # Whether the patch level is new enough.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $revision = Get-NodeRevision
    Write-NodeDetail -Text "the revision of Windows is $revision, expected $($Need['revision']) or later"
    $revision -ge $Need['revision']
}
