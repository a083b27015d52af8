# The part of a report with the last lines of logs.

function Get-NodeReportLog {
    # The last lines of the logs of this bundle's programs.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $logs = [ordered]@{}
    $paths = @('{0}\winnode.log' -f $script:Run.Document['paths']['log'])
    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'logRotation') { $paths += $step['path'] }
        if ($step['kind'] -ceq 'service') { $paths += @(Get-NodeServiceLog -Name $step['name']) }
    }
    foreach ($path in @($paths | Select-Object -Unique)) {
        $logs[$path] = Get-NodeReportText -LiteralPath $path -Read {
            @(Get-NodeLogEnd -LiteralPath $path) -join "`n"
        }
    }
    $logs
}
