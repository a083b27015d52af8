# registryValue: a registry value.

$script:StepKind['registryValue'] = @{
    Noun    = 'NodeRegistryValue'
    Subject = @('key', 'name')
    Key     = @('key', 'name')
    Reset   = 'restore'
}

function ConvertTo-NodeRegistryKey {
    # Converts HKLM\SOFTWARE\X to a path of PowerShell's drive.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Key)

    $Key -replace '^(HKLM|HKEY_LOCAL_MACHINE):?\\', 'HKLM:\'
}

function ConvertTo-NodeRegistryValue {
    # Converts a value of node.json to the registry type.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    switch ($Step['type']) {
        # .NET has a DWord above 2147483647 as a negative Int32.
        'DWord' { [System.BitConverter]::ToInt32([System.BitConverter]::GetBytes([uint32]$Step['value']), 0) }
        'MultiString' { , [string[]]@($Step['value']) }
        default { [string]$Step['value'] }
    }
}

function Test-NodeRegistryValue {
    # True if the value has the right type and data, or if the domain sets it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $key = ConvertTo-NodeRegistryKey -Key $Step['key']
    $found = Get-NodeRegistryData -Key $key -Name $Step['name']
    if ($null -eq $found) {
        Write-NodeDetail -Text 'the value is missing'
        return $false
    }
    $type = "$((Get-Item -LiteralPath $key).GetValueKind($Step['name']))"
    $wanted = ConvertTo-NodeRegistryValue -Step $Step
    $same = $type -eq $Step['type'] -and (@($found) -join "`0") -ceq (@($wanted) -join "`0")
    if ($same) { return $true }
    $text = "is $type '$(@($found) -join ', ')', expected '$(@($wanted) -join ', ')'"
    if (-not (Test-NodeDomainPolicy -Key $key)) {
        Write-NodeDetail -Text $text
        return $false
    }
    # The domain would set its value again with the next refresh.
    Write-NodeDetail -Text "$text; left as it is, because a Group Policy of the domain may set it"
    Write-NodeLog -Level warn -Step $Step['id'] -Message "$($Step['name']): $text; change the Group Policy"
    $true
}

function Test-NodeDomainPolicy {
    # Whether a Group Policy can own this key: it is below a key named Policies, on a machine in a domain.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Key)

    if ($Key -notmatch '\\Policies(\\|$)') { return $false }
    $computer = Get-CimInstance -ClassName Win32_ComputerSystem
    [bool]$computer.PartOfDomain
}

function Set-NodeRegistryValue {
    # Creates or changes the value.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['key'], "set $($Step['name'])")) { return $false }
    $key = ConvertTo-NodeRegistryKey -Key $Step['key']
    $value = ConvertTo-NodeRegistryValue -Step $Step
    Write-NodeRegistryData -Key $key -Name $Step['name'] -Type $Step['type'] -Value $value
    $Step['restart'] -ceq 'maybe'
}

function Backup-NodeRegistryValue {
    # The previous value.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Backup-NodeRegistryData -Key (ConvertTo-NodeRegistryKey -Key $Step['key']) -Name $Step['name']
}

function Restore-NodeRegistryValue {
    # Restores the previous value, or removes the value if there was none.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['key'], "restore $($Step['name'])")) { return $false }
    Restore-NodeRegistryData -Key (ConvertTo-NodeRegistryKey -Key $Step['key']) -Name $Step['name'] -Before $Before
    $Step['restart'] -ceq 'maybe'
}
