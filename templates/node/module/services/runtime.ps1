# Queries containerd through crictl.

$script:RuntimeEndpoint = 'npipe:////./pipe/containerd-containerd'

function Find-NodeProgram {
    # The path of a program that this bundle installs, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    foreach ($step in $script:Run.Document['steps']) {
        $paths = @($step['path']) + @($step['members'] | Where-Object -FilterScript { $null -ne $_ } |
                ForEach-Object -Process { $_['path'] })
        foreach ($path in $paths) { if ("$path".EndsWith("\$Name")) { return $path } }
    }
    ''
}

function Invoke-NodeCrictl {
    # Queries containerd through its pipe, whatever this user's crictl.yaml contains; returns the output as one
    # text.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Program,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList
    )

    $arguments = @('--runtime-endpoint', $script:RuntimeEndpoint, '--image-endpoint', $script:RuntimeEndpoint)
    (Invoke-Native -FilePath $Program -ArgumentList ($arguments + $ArgumentList)) -join "`n"
}

function Get-NodeWorkload {
    # Names of the running pods: all of them, or those that are not of a DaemonSet. Only the DaemonSet controller
    # sets this label: https://kubernetes.io/docs/reference/labels-annotations-taints/
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter()] [switch] $All)

    $crictl = Find-NodeProgram -Name 'crictl.exe'
    if ($crictl -eq '' -or -not (Test-Path -LiteralPath $crictl)) { return }
    if (-not (Test-NodeServiceActive -Name 'containerd')) { return }
    $text = Invoke-NodeCrictl -Program $crictl -ArgumentList 'pods', '--state', 'ready', '-o', 'json'
    $answer = ConvertFrom-NodeJson -Text $text
    foreach ($pod in $answer['items']) {
        $labels = $pod['labels']
        if (-not $All -and $null -ne $labels -and $labels.Contains('pod-template-generation')) { continue }
        '{0}/{1}' -f $pod['metadata']['namespace'], $pod['metadata']['name']
    }
}
