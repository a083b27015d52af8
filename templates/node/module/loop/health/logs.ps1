# Checks that the output of services is still written to their logs.

$script:HealthKind['logs'] = @{
    Function = 'Get-NodeLogHealth'
    Event    = 111
    Remedy   = 'the loop restarts the service; find the program that opens the log without FILE_SHARE_DELETE'
}

function Get-NodeLogHealth {
    # Whether kube-log-runner still writes the logs that it rotates.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $closed = @(Get-NodeClosedLog)
    if ($closed.Count -eq 0) { return ConvertTo-NodeVerdict -Verdict ok -Evidence 'all logs are written' }
    $evidence = "the log could not be rotated, and is no longer written: $($closed -join ', ')"
    ConvertTo-NodeVerdict -Verdict warn -Evidence $evidence
}
