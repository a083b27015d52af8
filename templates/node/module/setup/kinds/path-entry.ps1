# pathEntry: a folder in the machine's PATH.

$script:StepKind['pathEntry'] = @{ Noun = 'NodePathEntry'; Subject = 'path'; Reset = 'restore' }

function Get-NodeMachinePath {
    # The entries of the machine's PATH, with variables such as %SystemRoot% unexpanded.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $value = Get-NodeRegistryData -Key "$script:SessionManager\Environment" -Name 'Path'
    "$value".Split(';') | Where-Object -FilterScript { $_ -ne '' }
}

function Write-NodeMachinePath {
    # Writes the machine's PATH, with variables unexpanded. Services see it after a restart of the machine.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Entry)

    Write-NodeRegistryData -Key "$script:SessionManager\Environment" -Name 'Path' -Type 'ExpandString' -Value (
        $Entry -join ';'
    )
}

function Test-NodePathEntry {
    # True if the machine's PATH contains the folder.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $entries = @(Get-NodeMachinePath | ForEach-Object -Process { $_.TrimEnd('\') })
    $found = $entries -contains $Step['path'].TrimEnd('\')
    if (-not $found) { Write-NodeDetail -Text 'not in PATH' }
    $found
}

function Set-NodePathEntry {
    # Appends the folder to the PATH of the machine and of this process.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'add to PATH')) { return }
    Write-NodeMachinePath -Entry (@(Get-NodeMachinePath) + $Step['path'])
    $env:Path = '{0}{1}{2}' -f $env:Path, [System.IO.Path]::PathSeparator, $Step['path']
}

function Restore-NodePathEntry {
    # Removes the folder from the machine's PATH.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'remove from PATH')) { return }
    $rest = @(Get-NodeMachinePath | Where-Object -FilterScript { $_.TrimEnd('\') -ne $Step['path'].TrimEnd('\') })
    Write-NodeMachinePath -Entry $rest
}
