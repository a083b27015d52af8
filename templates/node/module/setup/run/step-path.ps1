# Lists the paths in steps.

# Properties of a step that contain a path, except the files of an archive.
$script:StepPath = @(
    'path', 'kubeadm', 'kubeconfig', 'bootstrapKubeconfig', 'certificates', 'tokenFile', 'discoveryFile', 'ca'
    'crictl', 'hostLocal', 'dataDirectory', 'wrapper'
)

function Get-NodeStepPath {
    # Paths that steps write, read or run.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Step)

    foreach ($one in $Step) {
        # Windows holds the page file open.
        if ($one['kind'] -ceq 'pageFile') { continue }
        foreach ($name in $script:StepPath) { if ($one[$name]) { $one[$name] } }
        foreach ($member in $one['members']) { $member['path'] }
    }
}
