# Clients of containerd: crictl and ctr, with the commands that are used on a node.

# Sources and what they say stand in test/host/README.md.
Add-HostProgram -Name 'crictl' -Body {
    param($Call)
    $flags, $words = Read-HostCrictlFlag -Argument $Call.Argument
    $run = $script:Crictl["$($words[0])"]
    if ($null -eq $run) { $Call.Code = 3; throw "No help topic for '$($words[0])'" }
    Assert-HostFlag -Argument @($words | Select-Object -Skip 1) -Known $script:CrictlFlag[$words[0]]
    Connect-HostPipe -Endpoint $flags[$(if ($words[0] -in 'images', 'pull', 'rmi') { '--image-endpoint' } else { '--runtime-endpoint' })]
    if ($words[0] -ne 'pull') { Wait-HostCri -Verb $words[0] -Timeout "$($flags['--timeout'])" }
    & $run $Call @($words | Select-Object -Skip 1)
}

# Flags that it knows, by verb; '' before the verb.
$script:CrictlFlag = @{
    ''       = '--config', '-c', '--runtime-endpoint', '-r', '--image-endpoint', '-i', '--timeout', '-t'
    images   = '--output', '-o', '--quiet', '-q', '--verbose', '-v', '--digests', '--no-trunc', '--filter', '-f'
    inspectp = '--output', '-o', '--quiet', '-q', '--template'
    pods     = '--output', '-o', '--quiet', '-q', '--verbose', '-v', '--state', '-s', '--id', '--name', '--namespace', '--label', '--no-trunc'
    pull     = '--creds', '--auth', '--username', '-u', '--annotation', '-a', '--pod-config'
    rmi      = '--all', '-a', '--prune', '-q'
    rmp      = '--all', '-a', '--force', '-f'
    stopp    = @()
}
$script:CtrFlag = @{
    'containers ls' = '--quiet', '-q'; 'containers rm' = '--keep-snapshot'
    'images ls'     = '--quiet', '-q'; 'images rm' = '--sync'
    'snapshots ls'  = @(); 'snapshots usage' = '-b'; 'snapshots rm' = @()
}

function Assert-HostFlag {
    # Both read flags as urfave/cli does, which refuses one that it does not know before anything happens.
    param([string[]] $Argument, [string[]] $Known)

    foreach ($word in @($Argument | Where-Object -FilterScript { $_ -match '^-.' })) {
        $name = ($word -split '=')[0]
        if ($name -cnotin $Known) { throw "flag provided but not defined: -$($name.TrimStart('-'))" }
    }
}

function Wait-HostCri {
    # A request that takes as long as a test says, and no longer than crictl waits.
    param([string] $Verb, [string] $Timeout)

    $limit = if ($Timeout) { [int]$Timeout.TrimEnd('s') } else { 2 }
    $from = $script:Machine.Seconds
    Assert-HostHealth -On "crictl $Verb"
    if ($script:Machine.Seconds -le $from + $limit) { return }
    $script:Machine.Seconds = $from + $limit
    throw "FATA[$("$limit".PadLeft(4, '0'))] rpc error: code = DeadlineExceeded desc = context deadline exceeded"
}

function Read-HostCrictlFlag {
    # Flags before the verb; crictl.yaml beside the program is for those that are not given.
    param([string[]] $Argument)

    $flags = @{ '--runtime-endpoint' = $script:Pipe }
    for ($index = 0; $index -lt $Argument.Count -and $Argument[$index].StartsWith('-'); $index += 2) {
        Assert-HostFlag -Argument $Argument[$index] -Known $script:CrictlFlag['']
        $flags[$Argument[$index]] = $Argument[$index + 1]
    }
    if ($flags['--timeout'] -and $flags['--timeout'] -notmatch '^(\d+(\.\d+)?(ms|s|m|h))+$') { throw "invalid value `"$($flags['--timeout'])`" for flag -timeout: parse error" }
    if (-not $flags.ContainsKey('--image-endpoint')) { $flags['--image-endpoint'] = $flags['--runtime-endpoint'] }
    $flags, @($Argument | Select-Object -Skip $index)
}

$script:Crictl = @{
    images = {
        # Empty lists are included; name:tag@digest is returned as name@digest.
        param($Call)
        $images = @(foreach ($image in $script:Machine.Images) {
                $digest = $image.Contains('@')
                [ordered]@{
                    id = Get-HostImageId -Image $image; repoTags = @(if (-not $digest) { $image })
                    repoDigests = @(if ($digest) { $image -replace ':[^:/@]+@', '@' }); size = '0'; uid = $null; username = ''; spec = $null; pinned = $false
                }
            })
        $Call.Out += (ConvertTo-Json -InputObject @{ images = $images } -Depth 5) -split "`n"
    }
    pull   = {
        # Says the id of what it has, not the name that it was given.
        param($Call, $Words)
        if (-not $Words) { throw 'image name cannot be empty' }
        try { Assert-HostHealth -On 'crictl pull' } catch { throw "FATA[0000] pulling image: rpc error: code = Unknown desc = failed to pull and unpack image `"$($Words[0])`": $_" }
        Add-HostCall -Text "crictl pull $($Words[0])"
        $script:Machine.Images = @(@($script:Machine.Images) + $Words[0] | Select-Object -Unique)
        $Call.Out += "Image is up to date for $(Get-HostImageId -Image $Words[0])"
    }
    pods   = {
        param($Call, $Words)
        $ready = [array]::IndexOf($Words, '--state')
        $state = if ($ready -ge 0) { $Words[$ready + 1] } else { '' }
        if ($state -notin '', 'ready', 'notready') { throw 'FATA[0000] listing pod sandboxes: list pod sandboxes: --state should be ready or notready' }
        $pods = @($script:Machine.Pods | Where-Object -FilterScript { $state -eq '' -or (Get-HostPodState -Pod $_) -eq "SANDBOX_$($state.ToUpperInvariant())" } | ForEach-Object -Process {
                $pod = [ordered]@{ id = Get-HostPodId -Pod $_; metadata = $_['metadata']; state = Get-HostPodState -Pod $_; createdAt = '0'; labels = @{}; annotations = @{}; runtimeHandler = '' }
                foreach ($name in 'labels', 'annotations') { if ($null -ne $_[$name]) { $pod[$name] = $_[$name] } }
                $pod
            })
        $Call.Out += (ConvertTo-Json -InputObject @{ items = $pods } -Depth 6) -split "`n"
    }
    inspectp = {
        # Without an address where a pod uses the network of the node: containerd, internal/cri/server/sandbox_status.go
        # getIPs, at 06bb81cf. It knows the address that the plugin once gave, whatever HNS has now.
        param($Call, $Words)
        $id = @($Words | Where-Object -FilterScript { $_ -notin '-o', 'json' })
        if ($id.Count -ne 1) { throw 'nothing stands in for crictl inspectp of several' }
        $pod = $script:Machine.Pods | Where-Object -FilterScript { (Get-HostPodId -Pod $_) -eq $id[0] } | Select-Object -First 1
        if ($null -eq $pod) { throw "FATA[0000] getting the status of the sandbox `"$($id[0])`": rpc error: code = NotFound" }
        $status = @{ id = $id[0]; metadata = $pod['metadata']; state = Get-HostPodState -Pod $pod; network = @{ additionalIps = @(); ip = "$($pod['Address'])" } }
        $Call.Out += (ConvertTo-Json -InputObject @{ status = $status; info = @{} } -Depth 6) -split "`n"
    }
    stopp  = {
        param($Call, $Words)
        foreach ($id in $Words) {
            $pod = $script:Machine.Pods | Where-Object -FilterScript { (Get-HostPodId -Pod $_) -eq $id } | Select-Object -First 1
            if ($null -eq $pod) { throw "FATA[0000] stopping the pod sandbox `"$id`": rpc error: code = NotFound" }
            if (-not $pod['HostNetwork']) { Assert-HostCalicoDelete; Assert-HostAntreaDelete }
            Add-HostCall -Text "crictl stopp $($pod['metadata']['name'])"
            Stop-HostSandbox -Pod $pod
            $Call.Out += "Stopped sandbox $id"
        }
    }
    rmp    = {
        # Rejects running pods, except with --force.
        param($Call, $Words)
        $ids = @(Select-HostCriId -Call $Call -Words $Words -All @($script:Machine.Pods | ForEach-Object -Process { Get-HostPodId -Pod $_ }) -Kind 'pod')
        # Those that can be removed are, also beside others: AggregateGoroutines in cmd/crictl/sandbox.go.
        $failed = ''
        foreach ($id in $ids) {
            $pod = $script:Machine.Pods | Where-Object -FilterScript { (Get-HostPodId -Pod $_) -eq $id } | Select-Object -First 1
            if ($null -eq $pod) { throw "FATA[0000] getting sandbox status of pod `"$id`": rpc error: code = NotFound" }
            $runs = (Get-HostPodState -Pod $pod) -eq 'SANDBOX_READY'
            if ($runs -and -not ($Words -contains '--force' -or $Words -contains '-f')) { throw "FATA[0000] pod sandbox `"$id`" is running, please stop it first" }
            try { if ($runs -and -not $pod['HostNetwork']) { Assert-HostCalicoDelete; Assert-HostAntreaDelete } } catch { $failed = "$_"; continue }
            if ($runs) { Stop-HostSandbox -Pod $pod }
            $script:Machine.Pods = @($script:Machine.Pods | Where-Object -FilterScript { -not [object]::ReferenceEquals($_, $pod) })
            if ($runs) { $Call.Out += "Stopped sandbox $id" }
            $Call.Out += "Removed sandbox $id"
        }
        if ($failed) { throw $failed }
    }
    rmi    = {
        param($Call, $Words)
        foreach ($id in @(Select-HostCriId -Call $Call -Words $Words -All @($script:Machine.Images | ForEach-Object -Process { Get-HostImageId -Image $_ }) -Kind 'image')) {
            $image = $script:Machine.Images | Where-Object -FilterScript { $id -in $_, (Get-HostImageId -Image $_) } | Select-Object -First 1
            if ($null -eq $image) { throw "FATA[0000] no such image $id" }
            $script:Machine.Images = @($script:Machine.Images | Where-Object -FilterScript { $_ -ne $image })
            $Call.Out += "Deleted: $image"
        }
    }
}

function Select-HostCriId {
    # What a verb is about: what is named, or all; nothing to remove is said on standard error, and is no failure.
    param([hashtable] $Call, [string[]] $Words, [string[]] $All, [string] $Kind)

    if ($Words -contains '--all' -or $Words -contains '-a') {
        if ($All.Count -eq 0) { $Call.Err += "INFO[0000] No ${Kind}s to remove" }
        return $All
    }
    $Words | Where-Object -FilterScript { -not $_.StartsWith('-') }
}

function Get-HostImageId {
    # A digest, as containerd names images.
    param([string] $Image)

    'sha256:' + [System.Convert]::ToHexString([System.Security.Cryptography.SHA256]::HashData([System.Text.Encoding]::UTF8.GetBytes($Image))).ToLowerInvariant()
}

function Get-HostPodId {
    param([System.Collections.IDictionary] $Pod)

    (Get-HostImageId -Image "$($Pod['metadata']['namespace'])/$($Pod['metadata']['name'])$($Pod['metadata']['attempt'])").Substring(7)
}

function Get-HostPodState {
    param([System.Collections.IDictionary] $Pod)

    if ($Pod['state']) { $Pod['state'] } else { 'SANDBOX_READY' }
}

Add-HostProgram -Name 'ctr' -Body {
    # Containers, images and snapshots of a namespace. A container that runs, and a snapshot with children, are not removed.
    param($Call)
    if ($Call.Argument[0] -ne '-n') { throw 'ctr: namespace is required' }
    $what, $verb, $rest = @($Call.Argument | Select-Object -Skip 2)
    $names = @($rest | Where-Object -FilterScript { $_ -and -not $_.StartsWith('-') })
    if ($verb -notin 'ls', 'rm' -and "$what $verb" -ne 'snapshots usage') { throw "ctr: No help topic for '$what $verb'" }
    Assert-HostFlag -Argument $rest -Known $script:CtrFlag["$what $verb"]
    if (-not (Test-HostPipe -Endpoint $script:Pipe)) {
        throw 'ctr: failed to dial "\\.\pipe\containerd-containerd": context deadline exceeded'
    }
    $snapshots = @($script:Machine.Snapshots)
    switch ("$what $verb") {
        'containers ls' { $Call.Out += @($script:Machine.Containers) }
        'images ls' { $Call.Out += @($script:Machine.Images) }
        'snapshots ls' { $Call.Out += @('KEY PARENT KIND ') + @($snapshots | ForEach-Object -Process { "$($_.Key) $($_.Parent) $($_.Kind) " }) }
        'snapshots usage' {
            # Without -b sizes have units.
            $size = if ($rest -contains '-b') { '1048576' } else { '1.0 MiB' }
            $Call.Out += @('KEY SIZE INODES ') + @($snapshots | ForEach-Object -Process { "$($_.Key) $size 12 " })
        }
        'containers rm' {
            if ($names.Count -eq 0) { throw 'ctr: must specify at least one container to delete: invalid argument' }
            $script:Machine.Containers = @($script:Machine.Containers | Where-Object -FilterScript { $_ -notin $names })
        }
        'images rm' {
            $Call.Out += @($names | Where-Object -FilterScript { $_ -in $script:Machine.Images })
            $script:Machine.Images = @($script:Machine.Images | Where-Object -FilterScript { $_ -notin $names })
        }
        'snapshots rm' {
            foreach ($name in $names) {
                if (@($script:Machine.Snapshots | Where-Object -FilterScript { $_.Parent -eq $name }).Count -gt 0) { throw "ctr: failed to remove `"$name`": cannot remove snapshot with child: failed precondition" }
                $script:Machine.Snapshots = @($script:Machine.Snapshots | Where-Object -FilterScript { $_.Key -ne $name })
            }
        }
    }
}
