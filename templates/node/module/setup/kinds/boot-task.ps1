# bootTask: a copy of the bundle, and the scheduled task that runs it.

$script:StepKind['bootTask'] = @{ Noun = 'NodeBootTask'; Subject = 'name'; Reset = 'restore' }

function Test-NodeBootTask {
    # True if the copy of the bundle is complete and the task runs it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $same = $true
    foreach ($file in Get-NodeBundleFile) {
        $digest = Get-NodeDigest -LiteralPath (Join-Path -Path $script:Run.Bundle -ChildPath $file)
        $copy = '{0}\{1}' -f $Step['path'], $file.Replace('/', '\')
        if (-not (Test-NodeContent -LiteralPath $copy -Sha256 $digest)) { $same = $false }
    }
    if ((Get-NodeFormerTask -Step $Step) -ne '') {
        Write-NodeDetail -Text "the task $(Get-NodeFormerTask -Step $Step) belongs to an earlier bundle"
        $same = $false
    }
    (Test-NodeTask -Wish (Get-NodeExpectedTask -Step $Step)) -and $same
}

function Set-NodeBootTask {
    # Copies the bundle and registers the task. A run from the copy does not copy itself.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'register task')) { return }
    foreach ($file in Get-NodeBundleFile) {
        $source = Join-Path -Path $script:Run.Bundle -ChildPath $file
        $copy = '{0}\{1}' -f $Step['path'], $file.Replace('/', '\')
        if ((Get-NodeDigest -LiteralPath $source) -ceq (Get-NodeDigest -LiteralPath $copy)) { continue }
        Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $copy)
        Copy-Item -LiteralPath $source -Destination "$copy.winnode-new" -Force
        Install-NodeFile -LiteralPath "$copy.winnode-new" -Destination $copy
    }
    Register-NodeTask -Wish (Get-NodeExpectedTask -Step $Step)
    Unregister-NodeTask -Name (Get-NodeFormerTask -Step $Step)
}

function Restore-NodeBootTask {
    # Removes the task and the copy; a copy that is running this remains until the next Reset.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'remove task')) { return }
    foreach ($name in (Get-NodeFormerTask -Step $Step), $Step['name']) { Unregister-NodeTask -Name $name }
    if ((Resolve-NodePath -LiteralPath $Step['path']).TrimEnd('\', '/') -eq $script:Run.Bundle.TrimEnd('\', '/')) {
        Write-NodeDetail -Text "kept: $($Step['path']) is the bundle of this run"
    } else {
        Clear-NodePath -LiteralPath $Step['path']
    }
}

function Get-NodeBundleFile {
    # Paths of the files of this bundle that later runs need.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    'node.json'
    $script:BundleScript
    $script:Run.Document['steps'] | Where-Object -FilterScript { $null -ne $_['source'] } |
        ForEach-Object -Process { $_['source'] } | Select-Object -Unique
}
