# service: a registered service with its settings.

$script:StepKind['service'] = @{ Noun = 'NodeService'; Subject = 'name'; Reset = 'restore' }

function Test-NodeService {
    # True if the service is registered with the settings of node.json.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not (Test-Path -LiteralPath "$script:Services\$name")) {
        Write-NodeDetail -Text 'the service is missing'
        return $false
    }
    $same = $true
    if (1 -eq (Get-NodeRegistryData -Key "$script:Services\$name" -Name 'DeleteFlag')) {
        Write-NodeDetail -Text 'marked for deletion'
        $same = $false
    }
    $wish = Get-NodeExpectedService -Step $Step
    $data = Get-NodeServiceData -Name $name -Value $wish.Keys
    foreach ($path in @($wish.Keys)) {
        $found = @($data[$path]) -join "`n"
        $wanted = @($wish[$path]) -join "`n"
        if ($found -cne $wanted) {
            Write-NodeDetail -Text "$path is '$found', expected '$wanted'"
            $same = $false
        }
    }
    $recovery = Get-NodeRecovery -Name $name
    if ($recovery -cne (Get-NodeExpectedRecovery -Step $Step)) {
        $expected = Get-NodeExpectedRecovery -Step $Step
        Write-NodeDetail -Text "recovery actions are '$recovery', expected '$expected'"
        $same = $false
    }
    $same
}

function Set-NodeService {
    # Creates or changes the service; a running one is stopped now and started when the run ends. True if an
    # earlier service of this name is deleted only with a restart of the machine.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if ($Step['scm'] -ceq 'wrapped' -and -not $Step['wrapper']) { throw "$name has no service wrapper (nssm)" }
    if (-not $PSCmdlet.ShouldProcess($name, 'register service')) { return $false }
    Suspend-NodeService -Name $name
    $key = "$script:Services\$name"
    if (1 -eq (Get-NodeRegistryData -Key $key -Name 'DeleteFlag')) {
        # It is deleted when the last program closes its handle, such as the Services console.
        $gone = Wait-NodeCondition -Seconds 10 -Condition { -not (Test-Path -LiteralPath $key) }
        if (-not $gone) {
            Write-NodeDetail -Text 'marked for deletion, needs a restart'
            return $true
        }
    }
    Write-NodeService -Name $name -Wish (Get-NodeExpectedService -Step $Step)
    Write-NodeRecovery -Step $Step
    $false
}

function Backup-NodeService {
    # The previous data of what Set writes in the registry, or nothing if the service was missing.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not (Test-Path -LiteralPath "$script:Services\$name")) { return $null }
    Get-NodeServiceData -Name $name -Value (Get-NodeExpectedService -Step $Step).Keys
}

function Restore-NodeService {
    # Restores the settings of an earlier service, or deletes winnode's; true if it is deleted only with a restart.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    $name = $Step['name']
    if (-not $PSCmdlet.ShouldProcess($name, 'restore service')) { return $false }
    if ($null -eq $Before) { return Unregister-NodeService -Name $name }
    Close-NodeService -Name $name
    foreach ($path in 'DependOnService', 'Environment') { if ($null -eq $Before[$path]) { $Before[$path] = @() } }
    foreach ($path in 'DisplayName', 'Description') { if ($null -eq $Before[$path]) { $Before[$path] = '' } }
    Write-NodeService -Name $name -Wish $Before
    $false
}
