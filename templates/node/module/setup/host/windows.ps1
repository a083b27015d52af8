# The version of Windows.

function Get-NodeBuild {
    # The build of Windows: 17763, 20348, 26100.
    [CmdletBinding()]
    [OutputType([int])]
    param()

    [int](Get-NodeRegistryData -Key $script:WindowsVersion -Name 'CurrentBuildNumber')
}

function Get-NodeRevision {
    # The patch level of the build.
    [CmdletBinding()]
    [OutputType([int])]
    param()

    [int](Get-NodeRegistryData -Key $script:WindowsVersion -Name 'UBR')
}
