# The object that a command returns.

function ConvertTo-NodeResult {
    # The object that a command returns.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Kind,
        [Parameter(Mandatory = $true)] [int] $ExitCode,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $document = if ($null -ne $script:Run) { $script:Run.Document } else { $null }
    $steps = @(if ($null -ne $script:Run) { $script:Run.Steps })
    $checks = @(if ($null -ne $script:Run) { $script:Run.Preflight })
    $waits = @($steps | Where-Object -FilterScript { $_['restart'] }).Count +
    @($checks | Where-Object -FilterScript { $_['verdict'] -eq 'restart' -and -not $_['passed'] }).Count
    [ordered]@{
        apiVersion = 'winnode/v1'
        kind       = $Kind
        name       = if ($null -ne $document) { $document['name'] } else { '' }
        nodeDigest = if ($null -ne $document) { $document['nodeDigest'] } else { '' }
        exitCode   = $ExitCode
        restart    = $waits -gt 0
        message    = Hide-NodeSecret -Text $Message
        suspended  = if ($null -ne $script:Run -and $null -ne $script:Run.State) { Get-NodeSuspension } else { '' }
        steps      = $steps
        preflight  = $checks
        health     = @(if ($null -ne $script:Run) { $script:Run.Health })
    }
}
