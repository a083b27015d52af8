# Parts of a report that are files: configuration and logs.

function Get-NodeReportConfiguration {
    # The files that came from the bundle, and the kubelet's configuration. Kubeconfigs, certificates and
    # keys are never read.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $files = [ordered]@{}
    $paths = @(foreach ($step in $script:Run.Document['steps']) {
            if ($step['kind'] -ceq 'file' -or $step['kind'] -ceq 'derivedFile') { $step['path'] }
            if ($step['kind'] -ceq 'service' -and $step['name'] -ceq 'kubelet') {
                $step['command'] | Where-Object -FilterScript { $_['text'].StartsWith('--config=') } |
                    ForEach-Object -Process { $_['text'].Substring(9) }
            }
        })
    foreach ($path in $paths) {
        if ($path -match '\.(conf|crt|key|pem)$' -and $path -notmatch 'net\.d\\') { continue }
        if (-not (Test-Path -LiteralPath $path)) { continue }
        $files[$path] = Hide-NodeSecret -Text (Read-NodeText -LiteralPath $path)
    }
    $files
}

function Get-NodeReportLog {
    # The last lines of the logs that this bundle names.
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
        if (Test-Path -LiteralPath $path) {
            $lines = @(Get-Content -LiteralPath $path -Tail $script:Limit.ReportLines -Encoding UTF8)
            $logs[$path] = Hide-NodeSecret -Text ($lines -join "`n")
        }
    }
    $logs
}

function Get-NodeServiceLog {
    # The files in which a service's output is kept, by nssm or by kube-log-runner.
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
