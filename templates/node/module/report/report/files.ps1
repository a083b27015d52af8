# Parts of a report from files: configurations.

function Get-NodeReportConfiguration {
    # The files of the bundle, and the kubelet's configuration. Kubeconfigs, certificates and keys are never read.
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
    foreach ($path in @($paths | Select-Object -Unique)) {
        if ($path -match '\.(conf|crt|key|pem)$' -and $path -notmatch 'net\.d\\') { continue }
        $files[$path] = Get-NodeReportText -LiteralPath $path -Read {
            Read-NodeTextEnd -LiteralPath $path -Bytes $script:Limit.ReportBytes
        }
    }
    $files
}

function Get-NodeReportText {
    # The content of a file without secrets, or why it could not be read.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [scriptblock] $Read
    )

    try {
        if (-not (Test-Path -LiteralPath $LiteralPath)) { throw 'file not found' }
        Hide-NodeSecret -Text (& $Read)
    } catch {
        Add-NodeReadFailure -What $LiteralPath -Why $_.Exception.GetBaseException().Message
    }
}

function Get-NodeReportFolder {
    # The files in the folder of CNI configurations: containerd uses the first one, whichever program
    # wrote it.
    # https://github.com/containerd/go-cni/blob/main/opts.go
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $folders = foreach ($step in $script:Run.Document['steps']) {
        if ("$($step['path'])" -match '^.*\\net\.d(?=\\|$)') { $Matches[0] }
    }
    foreach ($folder in @($folders | Select-Object -Unique)) {
        foreach ($item in @(Get-ChildItem -LiteralPath $folder -Force)) {
            if ($item.PSIsContainer) { continue }
            [ordered]@{ path = "$folder\$($item.Name)"; bytes = $item.Length }
        }
    }
}
