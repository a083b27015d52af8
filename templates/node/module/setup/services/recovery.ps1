# Reads and sets the recovery actions of services.

function Get-NodeRecovery {
    # Delays and reset period of a service's recovery actions, as the service control manager stores them: reset
    # period, two pointers, count, pointer, then pairs of an action (1: restart the service) and its delay.
    # https://learn.microsoft.com/windows/win32/api/winsvc/ns-winsvc-service_failure_actionsw
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $bytes = Get-NodeRegistryData -Key "$script:Services\$Name" -Name 'FailureActions'
    if ($null -eq $bytes -or $bytes.Count -lt 20) { return '' }
    $count = [System.BitConverter]::ToInt32($bytes, 12)
    $actions = for ($index = 0; $index -lt $count; $index++) {
        $kind = [System.BitConverter]::ToInt32($bytes, 20 + 8 * $index)
        $delay = [System.BitConverter]::ToInt32($bytes, 24 + 8 * $index)
        '{0}/{1}' -f $(if ($kind -eq 1) { 'restart' } else { $kind }), $delay
    }
    $flag = Get-NodeRegistryData -Key "$script:Services\$Name" -Name 'FailureActionsOnNonCrashFailures'
    '{0} {1} {2}' -f [System.BitConverter]::ToInt32($bytes, 0), (@($actions) -join '/'), [int]$flag
}

function Get-NodeExpectedRecovery {
    # The expected recovery actions of a step, in the same format.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $actions = foreach ($delay in $Step['restartDelays']) { "restart/$delay" }
    '{0} {1} 1' -f $Step['resetAfter'], (@($actions) -join '/')
}

function Write-NodeRecovery {
    # Sets the recovery actions with sc.exe: New-Service and CIM cannot.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $actions = @(foreach ($delay in $Step['restartDelays']) { "restart/$delay" }) -join '/'
    $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList @(
        'failure', $Step['name'], 'reset=', "$($Step['resetAfter'])", 'actions=', $actions
    )
    # Also if the program exits with an error.
    $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList 'failureflag', $Step['name'], '1'
}
