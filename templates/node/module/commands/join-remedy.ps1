# What stands in the way of a part of a join, or does not count in it, where somebody else runs kubeadm.

function Get-NodeElsewhereRemedy {
    # What must happen before a part of a join; an empty text where nothing must.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $State,
        [Parameter(Mandatory = $true)] [string] $Phase
    )

    # A kubeadm that ran again would only refuse: the kubelet holds its port.
    if ($State -ceq 'waiting' -and (Test-NodeServiceActive -Name 'kubelet')) {
        return 'have its request approved and run Join-WinNode.ps1 -Phase afterJoin; ' +
        'or, to begin anew, stop the kubelet and run -Phase beforeJoin'
    }
    if ($script:MemberState[$State].Join -ceq 'refuse') { return $script:MemberState[$State].Remedy }
    if ($Phase -ceq 'beforeJoin' -or $State -ceq 'member') { return '' }
    'run kubeadm first, and before it Join-WinNode.ps1 -Phase beforeJoin'
}

# What kubeadm adds by itself, and our command line or configuration says in its own way.
$script:KubeadmOwn = 'container-runtime', 'container-runtime-endpoint', 'pod-infra-container-image'

function Get-NodeIdleArgument {
    # Arguments of kubeadm's configuration that the kubelet's service does not have: labels, taints, the provider
    # id. Linux reads them from this file; here nobody does.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/phases/kubelet/flags.go
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $file = 'C:\var\lib\kubelet\kubeadm-flags.env'
    if (-not (Test-Path -LiteralPath $file)) { return }
    $ours = " $(Get-NodeRegistryData -Key "$script:Services\kubelet" -Name 'ImagePath') "
    $line = (Read-NodeText -LiteralPath $file).Trim() -creplace '^\w+="?' -creplace '"$'
    foreach ($argument in $line -split ' +') {
        $name = ($argument -split '=', 2)[0].TrimStart('-')
        if ($name -ne '' -and $script:KubeadmOwn -cnotcontains $name -and -not $ours.Contains(" $argument ")) {
            $argument
        }
    }
}
