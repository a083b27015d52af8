# Reads the last lines of logs.

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

function Get-NodeLogEnd {
    # The last lines of a log.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $text = Read-NodeTextEnd -LiteralPath $LiteralPath -Bytes $script:Limit.ReportBytes
    $text.TrimEnd("`r", "`n") -split '\r?\n' | Select-Object -Last $script:Limit.ReportLines
}

function Get-NodeServiceLog {
    # The files to which nssm or kube-log-runner write a service's output.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $paths = foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'service' -or $step['name'] -cne $Name) { continue }
        if ($null -ne $step['log']) { $step['log']['path'] }
        foreach ($part in $step['command']) {
            if ($part['text'].StartsWith('-log-file=')) { $part['text'].Substring(10) }
        }
    }
    $paths | Select-Object -Unique
}
