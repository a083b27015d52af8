# Remedies and warnings for a join in which another program runs kubeadm.

function Get-NodeElsewhereRemedy {
    # What must be done before a part of a join; an empty string if nothing.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $State,
        [Parameter(Mandatory = $true)] [string] $Phase
    )

    # Another run of kubeadm would fail: the kubelet uses its port.
    if ($State -ceq 'waiting' -and (Test-NodeServiceActive -Name 'kubelet')) {
        return 'approve its CSR and run Join-WinNode.ps1 -Phase afterJoin; ' +
        'or, to start again, stop the kubelet and run -Phase beforeJoin'
    }
    if ($script:MemberState[$State].Join -ceq 'refuse') { return $script:MemberState[$State].Remedy }
    if ($Phase -ceq 'beforeJoin' -or $State -ceq 'member') { return '' }
    'run Join-WinNode.ps1 -Phase beforeJoin first, then kubeadm'
}

# Arguments that kubeadm adds itself, and that the kubelet's service sets in another form.
$script:KubeadmOwn = 'container-runtime', 'container-runtime-endpoint', 'pod-infra-container-image'

function Get-NodeIdleArgument {
    # Kubelet arguments of kubeadm that the kubelet's service does not have: labels, taints, provider ID. The
    # kubelet reads this file on Linux only.
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
