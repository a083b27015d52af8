# Reads the trigger events of the time service.

function Test-NodeTimeTrigger {
    # Whether trigger events start and stop the time service. Without a domain, they stop it right after each boot,
    # even if its start type is automatic.
    # https://learn.microsoft.com/troubleshoot/windows-client/active-directory/w32time-not-start-on-workgroup
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $key = "$script:Services\W32Time\TriggerInfo"
    (Test-Path -LiteralPath $key) -and @(Get-ChildItem -LiteralPath $key).Count -gt 0
}
