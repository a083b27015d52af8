# Runs kubeadm, and clears up after it.

function Join-NodeKubeadm {
    # Lets kubeadm join, again where it failed over something that may pass. What it leaves and what would stop
    # the next one is taken away, the token first of all.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    for ($attempt = 1; ; $attempt++) {
        Clear-NodePartialJoin -Step $Step
        $problem = Invoke-NodeKubeadm -Step $Step
        if ($problem -eq '') { return }
        # It waits five minutes for the certificate; the kubelet goes on to ask for it after that.
        $member = Get-NodeMember -Step $Step
        if ($member.State -cin 'waiting', 'member' -and (Test-NodeServiceActive -Name 'kubelet')) { return }
        Clear-NodePartialJoin -Step $Step
        $late = (Read-NodeClock) -ge $script:Run.Deadline
        if ($late -or -not (Test-NodePassing -Problem $problem)) { throw "kubeadm: $problem" }
        Write-NodeLog -Level warn -Step $Step['id'] -Message "attempt ${attempt}: $problem"
        Write-NodeRow -Place $script:Run.Place -State 'again' -Id $Step['id'] -Text $problem
        $null = Read-NodeClock -After 10
    }
}

# What kubeadm says of what may be otherwise a moment later: a name, a server, a network, and a Node of this name,
# which counts as Ready until the cluster notices that its kubelet is silent. That it is this machine's was asked
# before. Windows has words of its own for what happens to a connection, and Go asks for them in English. An old
# kubeadm only says that its time was over.
# https://kubernetes.io/docs/concepts/architecture/nodes/
# https://learn.microsoft.com/windows/win32/winsock/windows-sockets-error-codes-2
# https://github.com/golang/go/blob/master/src/net/lookup_windows.go
$script:Passing = 'status "Ready" already exists|connection refused|connection reset|no route to host|' +
'actively refused|forcibly closed|did not properly respond|unreachable (?:network|host)|' +
'i/o timeout|network is unreachable|no such host|getaddrinfow|' +
'TLS handshake timeout|ServiceUnavailable|Too Many Requests|: EOF|unexpected EOF|server is currently unable|' +
'Client\.Timeout|cluster-info ConfigMap after timeout of \S+$'

function Test-NodePassing {
    # Whether what kubeadm says may be otherwise a moment later. A kubelet that does not come up is no matter of
    # the network, though kubeadm asks for its health over a connection.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/apiclient/wait.go
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Problem)

    $Problem -notmatch '/healthz' -and $Problem -match $script:Passing
}

function Invoke-NodeKubeadm {
    # Runs kubeadm over a file that holds the token; its error line, or an empty text. It takes no token beside
    # a configuration, its own paths have no drive, so C:\ is the current folder, and it looks for the kubelet
    # on the PATH of its process, which may be older than the installation. All that it says goes to the log.
    # https://github.com/kubernetes/kubeadm/issues/1341
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $env:Path
    try {
        Write-NodeSecret -LiteralPath $Step['path'] -Text (Get-NodeJoinText -Step $Step)
        Push-Location -LiteralPath 'C:\'
        try {
            $folder = Get-NodeParent -LiteralPath $Step['kubeadm']
            $env:Path = '{0}{1}{2}' -f $folder, [System.IO.Path]::PathSeparator, $path
            $said = Read-NodeNative -FilePath $Step['kubeadm'] -ArgumentList 'join', '--config', $Step['path']
        } finally {
            $env:Path = $path
            Pop-Location
        }
    } finally {
        Clear-NodePath -LiteralPath $Step['path']
    }
    foreach ($line in $said.Lines) { Write-NodeLog -Level info -Step $Step['id'] -Message "$line" }
    if ($said.Code -eq 0) { return '' }
    # Below 1.28 the line has no beginning of its own, but a hint comes after it.
    $lines = @($said.Lines | ForEach-Object -Process { "$_" } |
            Where-Object -FilterScript { $_ -notmatch '^\s*$|^To see the stack trace of this error' })
    $last = @($lines -cmatch '^(error: |error execution phase )')
    $found = @($lines -cmatch '^\s*\[ERROR ' | ForEach-Object -Process { $_.Trim() })
    $message = if ($last.Count -gt 0) { $last[0] -creplace '^error: ' } else {
        "ended with code $($said.Code): $($lines | Select-Object -Last 1)"
    }
    (@($message) + $found) -join '; '
}

function Get-NodeJoinTrace {
    # Files that kubeadm leaves when it is cut off, and that stop it the next time.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $Step['bootstrapKubeconfig']
    $folder = Get-NodeParent -LiteralPath $Step['kubeconfig']
    $ca = "$folder\pki\ca.crt"
    # Where a file of the bundle goes there it is not kubeadm's.
    $ours = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['path'] -eq $ca })
    if ($ours.Count -eq 0) { $ca }
}

function Clear-NodePartialJoin {
    # Takes away what a join that was cut off left, so that kubeadm starts anew: it refuses where its files
    # are there, and where the kubelet holds its port.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Close-NodeService -Name 'kubelet'
    $before = Get-NodeBefore -Step $Step
    foreach ($path in Get-NodeJoinTrace -Step $Step) {
        if ($null -ne $before -and @($before['there']) -notcontains $path) { Clear-NodePath -LiteralPath $path }
    }
    if ((Get-NodeMember -Step $Step).State -eq 'member') { return }
    # It leads to no certificate, or to one that is of no use any more.
    Clear-NodePath -LiteralPath $Step['kubeconfig']
    Clear-NodeCertificate -Step $Step
}
