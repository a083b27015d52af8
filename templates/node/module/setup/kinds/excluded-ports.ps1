# excludedPorts: ports that Windows does not use as dynamic ports.

$script:StepKind['excludedPorts'] = @{
    Noun    = 'NodeExcludedPort'
    Subject = 'ports'
    Key     = @('protocol', 'ports')
    Reset   = 'restore'
}

function Test-NodeExcludedPort {
    # True if one administered range holds all of these ports.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $range = ConvertFrom-NodePortRange -Ports $Step['ports']
    foreach ($found in Get-NodeExcludedPort -Protocol $Step['protocol'].ToLowerInvariant()) {
        if ($found['Administered'] -and $found['From'] -le $range['From'] -and $found['To'] -ge $range['To']) {
            return $true
        }
    }
    Write-NodeDetail -Text 'not excluded'
    $false
}

function Edit-NodeExcludedPort {
    # Adds or deletes the exclusion.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('add', 'delete')] [string] $Verb,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step
    )

    $range = ConvertFrom-NodePortRange -Ports $Step['ports']
    $count = $range['To'] - $range['From'] + 1
    $null = Invoke-Native -FilePath 'netsh.exe' -ArgumentList @(
        'interface', 'ipv4', $Verb, 'excludedportrange', "protocol=$($Step['protocol'].ToLowerInvariant())",
        "startport=$($range['From'])", "numberofports=$count", 'store=persistent')
}

function Set-NodeExcludedPort {
    # Excludes the ports. Windows refuses while a program uses one of them.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['ports'], 'exclude from dynamic ports')) { return }
    try {
        Edit-NodeExcludedPort -Verb add -Step $Step
    } catch {
        throw "$($_.Exception.Message); if a program uses one of these ports, stop it and rerun the script"
    }
}

function Restore-NodeExcludedPort {
    # Deletes the exclusion.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-NodeExcludedPort -Step $Step)) { return }
    if ($PSCmdlet.ShouldProcess($Step['ports'], 'use as dynamic ports again')) {
        Edit-NodeExcludedPort -Verb delete -Step $Step
    }
}
