# The events that start and stop the time service.

function Test-NodeTimeTrigger {
    # Whether events start and stop the time service. Out of a domain that stops it right after each start of
    # the machine, also where it starts with Windows.
    # https://learn.microsoft.com/troubleshoot/windows-client/active-directory/w32time-not-start-on-workgroup
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $key = "$script:Services\W32Time\TriggerInfo"
    (Test-Path -LiteralPath $key) -and @(Get-ChildItem -LiteralPath $key).Count -gt 0
}
