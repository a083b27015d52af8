# Removes pods, containers and images through containerd, before the steps are reset.

function Stop-NodeWorkload {
    # Stops services that would create pods again, then removes pods and images: only containerd can remove image
    # layers. Errors are reported, and do not stop the reset of the steps.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param()

    if (-not $PSCmdlet.ShouldProcess('pods', 'remove')) { return }
    # A service without a saved state was not installed by winnode.
    $services = @(Get-NodeKindStep -Kind service | Where-Object -FilterScript { Test-NodeStateSaved -Step $_ } |
            ForEach-Object -Process { $_['name'] })
    $ours = @($services | Where-Object -FilterScript { $_ -ne 'containerd' })
    foreach ($name in @(Get-NodeServiceToStop -Name $ours)) { Close-NodeService -Name $name }
    if ($services -notcontains 'containerd') { return }
    # Only if containerd was installed by winnode: images of another one are user data.
    $own = @(Get-NodeKindStep -Kind service -Name 'containerd')[0]
    if ($null -ne (Get-NodeBefore -Step $own)) { return }
    try {
        # Only containerd can remove its snapshots.
        Open-NodeService -Name 'containerd' -Seconds $script:Limit.ServiceSeconds
        Clear-NodeRuntime
    } catch {
        $script:Run.Message = "pods or images remain: $($_.Exception.Message)"
        Write-NodeLog -Level warn -Step '' -Message $script:Run.Message
    }
}

function Clear-NodeRuntime {
    # Removes Kubernetes' pods, containers and images. A pod that crictl cannot remove does not keep the rest: if
    # its network plugin fails, containerd has stopped it before, and ctr can remove its containers.
    # https://github.com/containerd/containerd/blob/main/internal/cri/server/sandbox_stop.go
    [CmdletBinding()]
    param()

    $problems = @()
    $crictl = Find-NodeProgram -Name 'crictl.exe'
    if ($crictl -ne '' -and (Test-Path -LiteralPath $crictl)) {
        # A plugin may need its pod, which has the network of the node, to remove the endpoint of another pod.
        # https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/cni/client.go
        $plugged = @(Get-NodeReadySandbox | Where-Object -FilterScript { $_ } |
                Where-Object -FilterScript { (Get-NodeSandboxAddress -Pod $_) -ne '' } |
                ForEach-Object -Process { $_['id'] })
        $bulk = @{ Program = $crictl; Seconds = $script:Limit.BulkSeconds }
        if ($plugged.Count -gt 0) {
            try {
                $null = Invoke-NodeCrictl @bulk -ArgumentList (@('rmp', '--force') + $plugged)
            } catch {
                # The next call removes them again.
                Write-Verbose -Message $_.Exception.Message
            }
        }
        foreach ($words in @('rmp', '--all', '--force'), @('rmi', '--all')) {
            try {
                $null = Invoke-NodeCrictl @bulk -ArgumentList $words
            } catch {
                $problems += $_.Exception.Message
            }
        }
    }
    try { Clear-NodeContent } catch { $problems += $_.Exception.Message }
    if ($problems.Count -gt 0) { throw ($problems -join '; ') }
}

function Clear-NodeContent {
    # Removes what containerd has of Kubernetes. ctr refuses a container that runs: then its layers stay, too.
    [CmdletBinding()]
    param()

    $ctr = Find-NodeProgram -Name 'ctr.exe'
    if ($ctr -eq '' -or -not (Test-Path -LiteralPath $ctr)) { return }
    foreach ($what in @('containers', 'rm'), @('images', 'rm', '--sync')) {
        $names = @(Invoke-NodeCtr -Program $ctr -ArgumentList $what[0], 'ls', '-q')
        Remove-NodeContent -Program $ctr -What $what -Name $names
    }
    Remove-NodeContent -Program $ctr -What 'snapshots', 'rm' -Name @(Get-NodeSnapshot -Program $ctr)
}

function Invoke-NodeCtr {
    # The lines that ctr writes about Kubernetes' namespace. Without a limit it waits for ever for a containerd
    # that hangs.
    # https://github.com/containerd/containerd/blob/main/cmd/ctr/commands/client.go
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $Program,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList
    )

    $call = @{ ArgumentList = @('-n', 'k8s.io') + $ArgumentList; Seconds = $script:Limit.BulkSeconds }
    (Read-NodeUnicode -FilePath $Program @call) -split '\r?\n' | Where-Object -FilterScript { $_.Trim() -ne '' }
}

# Characters of names for one call of ctr.exe: a command line holds 32,767.
# https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
$script:NamesLength = 20000

function Remove-NodeContent {
    # Removes containers, images or snapshots in their order, as many at once as a command line holds.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [Parameter(Mandatory = $true)] [string] $Program,
        [Parameter(Mandatory = $true)] [string[]] $What,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Name
    )

    if ($Name.Count -eq 0 -or -not $PSCmdlet.ShouldProcess($What[0], 'remove')) { return }
    $some = New-Object -TypeName System.Collections.ArrayList
    $length = 0
    foreach ($one in $Name) {
        if ($length + $one.Length -ge $script:NamesLength) {
            $null = Invoke-NodeCtr -Program $Program -ArgumentList ($What + $some.ToArray())
            $some.Clear()
            $length = 0
        }
        $null = $some.Add($one)
        $length += $one.Length + 1
    }
    $null = Invoke-NodeCtr -Program $Program -ArgumentList ($What + $some.ToArray())
}

function Get-NodeSnapshot {
    # Keys of containerd's snapshots, children first, because a snapshot with children cannot be removed. The list
    # is a table: KEY PARENT KIND.
    # https://github.com/containerd/containerd/blob/main/cmd/ctr/commands/snapshots/snapshots.go
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $Program)

    $table = @(Invoke-NodeCtr -Program $Program -ArgumentList 'snapshots', 'ls')
    $rest = @($table | Select-Object -Skip 1 | ForEach-Object -Process {
            $words = @($_.Trim() -split '\s+')
            @{ Key = $words[0]; Parent = if ($words.Count -gt 2) { $words[1] } else { '' } }
        })
    while ($rest.Count -gt 0) {
        $parents = @($rest | ForEach-Object -Process { $_.Parent })
        $leaves = @($rest | Where-Object -FilterScript { $parents -notcontains $_.Key })
        if ($leaves.Count -eq 0) { throw 'the list of snapshots has a cycle' }
        $leaves | ForEach-Object -Process { $_.Key }
        $rest = @($rest | Where-Object -FilterScript { $parents -contains $_.Key })
    }
}
