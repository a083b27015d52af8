# Programs of Kubernetes: crictl and ctr.

Add-HostProgram -Name 'crictl' -Body {
    # Asks a containerd that must run; digests come back as name@digest.
    param($Call)
    $words = @($Call.Argument | Select-Object -Skip 4)
    if (-not $script:Machine.Running.ContainsKey('containerd')) {
        throw 'validate service connection: open \\.\pipe\containerd-containerd: The system cannot find the file specified.'
    }
    switch ($words[0]) {
        'images' {
            $images = @(foreach ($image in $script:Machine.Images) {
                    $digest = $image.Contains('@')
                    @{ id = "sha256:$image"; repoTags = @(if (-not $digest) { $image }); repoDigests = @(if ($digest) { $image -replace ':[^:/@]+@', '@' }) }
                })
            $Call.Out += ConvertTo-Json -InputObject @{ images = $images } -Depth 4 -Compress
        }
        'pull' {
            Assert-HostHealth -On 'crictl pull'
            Add-HostCall -Text "crictl pull $($words[1])"
            $script:Machine.Images += $words[1]
            $Call.Out += "Image is up to date for $($words[1])"
        }
        'pods' { $Call.Out += ConvertTo-Json -InputObject @{ items = @($script:Machine.Pods) } -Depth 5 -Compress }
        'rmp' { $script:Machine.Pods = @() }
        'rmi' { $script:Machine.Images = @() }
        default { throw "No help topic for '$($words[0])'" }
    }
}

Add-HostProgram -Name 'ctr' -Body {
    param($Call)
    $Call.Out += @()
}
