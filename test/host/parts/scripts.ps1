# Loads the module under test, and gives it our programs.

# Loaded modules by the digest of their file: parsing one takes longer than a run.
$script:Loaded = ''

function Import-Module {
    # As the real one, but a module whose bytes are loaded already is not parsed again; gives it our programs.
    [CmdletBinding()]
    param([string] $Name, [string[]] $Function, [switch] $Force)

    # Another module: only the requested functions are imported into the caller's scope, which is global here.
    if ($Function) { return Microsoft.PowerShell.Core\Import-Module -Name $Name -Function $Function -Global -DisableNameChecking }

    $digest = (Get-FileHash -LiteralPath $Name).Hash
    if ($digest -eq $script:Loaded) { return }
    # One from another folder would stay beside the new one.
    Get-Module -Name 'WinNode' | Remove-Module -Force
    Microsoft.PowerShell.Core\Import-Module -Name $Name -Force:$Force -Global
    Use-HostProgram -Module (Get-Module -Name 'WinNode')
    Use-HostReplace -Module (Get-Module -Name 'WinNode')
    Use-HostDisk -Module (Get-Module -Name 'WinNode')
    Add-HostWrapper
    $script:Loaded = $digest
}
