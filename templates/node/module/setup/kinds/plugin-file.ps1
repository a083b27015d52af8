# pluginFile: a file that the network plugin's DaemonSet writes at its start.

# The plugin leaves it, also when it is removed from the cluster: Reset removes the file.
$script:StepKind['pluginFile'] = @{ Noun = 'NodePluginFile'; Subject = 'path'; Reset = 'always' }

function Test-NodePluginFile {
    # False if the file is from before the last boot, and must not be.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $Step['eachBoot'] -or -not (Test-Path -LiteralPath $Step['path'])) { return $true }
    $stale = Test-NodeOlderThanBoot -LiteralPath $Step['path']
    if ($stale) { Write-NodeDetail -Text 'it is from before the last boot' }
    -not $stale
}

function Set-NodePluginFile {
    # Removes the file. The kubelet starts after this step: until the plugin writes the file again, only pods with
    # the network of the node start, such as the plugin's own.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['path'], 'remove file')) { Clear-NodePath -LiteralPath $Step['path'] }
}

function Restore-NodePluginFile {
    # Removes the file. Pods are removed before: the plugin needs it to release their addresses.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-Path -LiteralPath $Step['path'])) { return }
    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'remove file')) { return }
    Clear-NodePath -LiteralPath $Step['path']
    Write-NodeDetail -Text 'the file is removed'
}
