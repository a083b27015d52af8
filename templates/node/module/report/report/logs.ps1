# The part of a report with the last lines of logs.

function Get-NodeReportLog {
    # The last lines of the logs of this bundle's programs, and of the pods of the network.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $logs = [ordered]@{}
    $paths = @('{0}\winnode.log' -f $script:Run.Document['paths']['log'])
    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'logRotation') { $paths += $step['path'] }
        if ($step['kind'] -ceq 'service') { $paths += @(Get-NodeServiceLog -Name $step['name']) }
    }
    $paths += @(Get-NodePodLog)
    foreach ($path in @($paths | Select-Object -Unique)) {
        $logs[$path] = Get-NodeReportText -LiteralPath $path -Read {
            # containerd puts time, stream and a tag in front of each line of a container; a secret in several
            # lines is found by whole lines.
            # https://github.com/containerd/containerd/blob/v2.1.0/internal/cri/io/logger.go
            @(Get-NodeLogEnd -LiteralPath $path) -replace '^\S+ (?:stdout|stderr) [FP] ' -join "`n"
        }
    }
    $logs
}

function Get-NodePodLog {
    # The logs of the newest pod of each DaemonSet of the network: of each container the last two, because a
    # container that has just started again says nothing of the reason.
    # https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/kubelet/kuberuntime/helpers.go
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    foreach ($pattern in @($script:Run.Document['podLogs'] | Where-Object -FilterScript { $_ })) {
        $folder = Get-NodeParent -LiteralPath $pattern
        if (-not (Test-Path -LiteralPath $folder)) { continue }
        $pod = Get-ChildItem -LiteralPath $folder -Directory | Where-Object -FilterScript {
            $_.Name -like $pattern.Substring($folder.Length + 1)
        } | Sort-Object -Property LastWriteTimeUtc | Select-Object -Last 1
        if ($null -eq $pod) { continue }
        foreach ($container in @(Get-ChildItem -LiteralPath "$folder\$($pod.Name)" -Directory)) {
            $path = "$folder\$($pod.Name)\$($container.Name)"
            Get-ChildItem -LiteralPath $path -File | Where-Object -FilterScript { $_.Name -match '^\d+\.log$' } |
                Sort-Object -Property { [int]($_.Name -replace '\.log$') } | Select-Object -Last 2 |
                ForEach-Object -Process { "$path\$($_.Name)" }
        }
    }
}
