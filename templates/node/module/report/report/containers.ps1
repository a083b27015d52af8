# Parts of a report from containerd.

function Get-NodeReportContainer {
    # Pods, images and sizes of snapshots in containerd.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $parts = [ordered]@{
        pods      = { Get-NodeReportPod }
        images    = { Get-NodeReportImage }
        snapshots = { Get-NodeReportSnapshot }
    }
    $found = [ordered]@{}
    foreach ($part in @($parts.Keys)) {
        try {
            $all = @(& $parts[$part])
            $found[$part] = @(Limit-NodeReportItem -What $part -Item $all)
        } catch {
            $found[$part] = Add-NodeReadFailure -What $part -Why $_.Exception.Message
        }
    }
    $found
}

function Read-NodeReportProgram {
    # The output of a program of this bundle.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList
    )

    $program = Find-NodeProgram -Name $Name
    if ($program -eq '' -or -not (Test-Path -LiteralPath $program)) { throw "$Name not found" }
    if (-not (Test-NodeServiceActive -Name 'containerd')) { throw 'containerd does not run' }
    Read-NodeUnicode -FilePath $program -ArgumentList $ArgumentList -Seconds $script:Limit.ReportSeconds
}

function Get-NodeReportPod {
    # The pods, without labels and annotations, which may contain anything.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $words = @('--runtime-endpoint', $script:RuntimeEndpoint, '--timeout', "$($script:Limit.ReportSeconds)s")
    $words += 'pods', '-o', 'json'
    $text = Read-NodeReportProgram -Name 'crictl.exe' -ArgumentList $words
    foreach ($pod in (ConvertFrom-NodeJson -Text $text)['items']) {
        [ordered]@{
            namespace = "$($pod['metadata']['namespace'])"
            name      = Limit-NodeReportText -Text "$($pod['metadata']['name'])"
            id        = "$($pod['id'])"
            state     = "$($pod['state'])"
            created   = "$($pod['createdAt'])"
        }
    }
}

function Get-NodeReportImage {
    # The images, with their sizes in bytes.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $words = @('--image-endpoint', $script:RuntimeEndpoint, '--timeout', "$($script:Limit.ReportSeconds)s")
    $words += 'images', '-o', 'json'
    $text = Read-NodeReportProgram -Name 'crictl.exe' -ArgumentList $words
    foreach ($image in (ConvertFrom-NodeJson -Text $text)['images']) {
        $names = @($image['repoTags']) + @($image['repoDigests']) | Where-Object -FilterScript { $_ }
        [ordered]@{
            id    = "$($image['id'])"
            names = Limit-NodeReportText -Text ($names -join ', ')
            size  = "$($image['size'])"
        }
    }
}

function Get-NodeReportSnapshot {
    # The snapshots with their sizes in bytes, the largest first: a table KEY SIZE INODES.
    # https://github.com/containerd/containerd/blob/main/cmd/ctr/commands/snapshots/snapshots.go
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $words = @('-n', 'k8s.io', 'snapshots', 'usage', '-b')
    $rows = (Read-NodeReportProgram -Name 'ctr.exe' -ArgumentList $words).Trim() -split '\r?\n'
    $found = foreach ($row in @($rows | Select-Object -Skip 1)) {
        $key, $size = @($row.Trim() -split '\s+')
        [ordered]@{ key = $key; size = [long]@($size)[0] }
    }
    $found | Sort-Object -Property { $_['size'] } -Descending
}
