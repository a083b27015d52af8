# service: the service manager knows a service as it should.

$script:StepKind['service'] = @{ Noun = 'NodeService'; Subject = 'name'; Reset = 'restore' }

function Test-NodeService {
    # True when the service manager knows the service as node.json wants it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not (Test-Path -LiteralPath "$script:Services\$name")) {
        Write-NodeDetail -Text 'there is no such service'
        return $false
    }
    $same = $true
    if (1 -eq (Get-NodeRegistryData -Key "$script:Services\$name" -Name 'DeleteFlag')) {
        Write-NodeDetail -Text 'it is marked for deletion'
        $same = $false
    }
    $wish = Get-NodeServiceWish -Step $Step
    $data = Get-NodeServiceData -Name $name -Value $wish.Keys
    foreach ($path in @($wish.Keys)) {
        $found = @($data[$path]) -join "`n"
        $wanted = @($wish[$path]) -join "`n"
        if ($found -cne $wanted) {
            Write-NodeDetail -Text "$path is '$found', wanted '$wanted'"
            $same = $false
        }
    }
    $recovery = Get-NodeRecovery -Name $name
    if ($recovery -cne (Get-NodeRecoveryWish -Step $Step)) {
        Write-NodeDetail -Text "recovery is '$recovery', wanted '$(Get-NodeRecoveryWish -Step $Step)'"
        $same = $false
    }
    $same
}

function Set-NodeService {
    # Makes or corrects the service; one that runs stops first and starts when the run ends. True when an
    # earlier service of this name goes only with a restart.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if ($Step['scm'] -ceq 'wrapped' -and -not $Step['wrapper']) { throw "$name has no wrapper to run under" }
    if (-not $PSCmdlet.ShouldProcess($name, 'register service')) { return $false }
    Suspend-NodeService -Name $name
    $key = "$script:Services\$name"
    if (1 -eq (Get-NodeRegistryData -Key $key -Name 'DeleteFlag')) {
        # It goes when the last program closes its handle: a console of services, say.
        $gone = Wait-NodeCondition -Seconds 10 -Condition { -not (Test-Path -LiteralPath $key) }
        if (-not $gone) {
            Write-NodeDetail -Text 'it is marked for deletion and goes with a restart'
            return $true
        }
    }
    Write-NodeService -Name $name -Wish (Get-NodeServiceWish -Step $Step)
    Write-NodeRecovery -Step $Step
    $false
}

function Backup-NodeService {
    # What the registry said of the service before, or nothing where there was none.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not (Test-Path -LiteralPath "$script:Services\$name")) { return $null }
    $values = 'DisplayName', 'Description', 'Start', 'DependOnService', 'Environment', 'ImagePath'
    Get-NodeServiceData -Name $name -Value $values
}

function Restore-NodeService {
    # Gives an earlier service its settings back, or deletes ours; true when it goes only with a restart.
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
