# Runs kubeadm join, and cleans up after it.

function Join-NodeKubeadm {
    # Runs kubeadm join, with retries after errors that may pass. Files that an attempt leaves and that would stop
    # the next one are deleted, the one with the token first.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    for ($attempt = 1; ; $attempt++) {
        Clear-NodePartialJoin -Step $Step
        $problem = Invoke-NodeKubeadm -Step $Step
        if ($problem -eq '') { return }
        # kubeadm waits five minutes for the certificate; the kubelet continues to wait for its CSR after that.
        $member = Get-NodeMembership -Step $Step
        if ($member.State -cin 'waiting', 'member' -and (Test-NodeServiceActive -Name 'kubelet')) { return }
        Clear-NodePartialJoin -Step $Step
        $late = (Read-NodeClock) -ge $script:Run.Deadline
        if ($late -or -not (Test-NodePassableError -Problem $problem)) { throw "kubeadm: $problem" }
        Write-NodeLog -Level warn -Step $Step['id'] -Message "attempt ${attempt}: $problem"
        Write-NodeRow -Place $script:Run.Place -State 'again' -Id $Step['id'] -Text $problem
        $null = Read-NodeClock -After 10
    }
}

# Errors of kubeadm that a retry may pass: a name, a server, a network, or a Node of this name that counts as Ready
# until the cluster notices that its kubelet is gone; that the Node is this machine's was checked before. Windows
# has its own messages for connection errors, and Go requests them in English. Old versions of kubeadm only report
# a timeout.
# https://kubernetes.io/docs/concepts/architecture/nodes/
# https://learn.microsoft.com/windows/win32/winsock/windows-sockets-error-codes-2
# https://github.com/golang/go/blob/master/src/net/lookup_windows.go
$script:Passing = 'status "Ready" already exists|connection refused|connection reset|no route to host|' +
'actively refused|forcibly closed|did not properly respond|unreachable (?:network|host)|' +
'i/o timeout|network is unreachable|no such host|getaddrinfow|' +
'TLS handshake timeout|ServiceUnavailable|Too Many Requests|: EOF|unexpected EOF|server is currently unable|' +
'Client\.Timeout|cluster-info ConfigMap after timeout of \S+$'

function Test-NodePassableError {
    # Whether a retry may pass an error of kubeadm. A kubelet that does not start is not a network error, although
    # kubeadm reports a failed connection to its health endpoint.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/apiclient/wait.go
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Problem)

    $Problem -notmatch '/healthz' -and $Problem -match $script:Passing
}

function Invoke-NodeKubeadm {
    # Runs kubeadm with a configuration file that contains the token; returns its error line, or an empty string.
    # It accepts no token flag beside a configuration; its own paths have no drive, so C:\ is the current folder;
    # and it looks for the kubelet in the PATH of its process, which may be older than the installation. Its output
    # is logged.
    # https://github.com/kubernetes/kubeadm/issues/1341
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $env:Path
    try {
        Write-NodeSecret -LiteralPath $Step['path'] -Content @{ Text = Get-NodeJoinText -Step $Step }
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
    # Without the token, before any argument has a line.
    $output = @(foreach ($line in $said.Lines) { "$line".Replace($script:Run.Token, '<hidden>') })
    foreach ($line in $output) { Write-NodeLog -Level info -Step $Step['id'] -Message $line }
    if ($said.Code -eq 0) { return '' }
    # Before 1.28 the error line has no prefix, but a hint follows it.
    $lines = @($output | Where-Object -FilterScript { $_ -notmatch '^\s*$|^To see the stack trace of this error' })
    $last = @($lines -cmatch '^(error: |error execution phase )')
    $found = @($lines -cmatch '^\s*\[ERROR ' | ForEach-Object -Process { $_.Trim() })
    $message = if ($last.Count -gt 0) { $last[0] -creplace '^error: ' } else {
        "exit code $($said.Code): $($lines | Select-Object -Last 1)"
    }
    (@($message) + $found) -join '; '
}

function Get-NodeJoinTrace {
    # Files that kubeadm leaves behind when it is aborted, and that stop the next attempt.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $Step['bootstrapKubeconfig']
    $ca = Get-NodeKubeadmAuthority -Step $Step
    if ($ca -ne '') { $ca }
}

function Get-NodeKubeadmAuthority {
    # The path of the CA that kubeadm writes for the kubelet, or an empty string if the bundle installs it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $ca = "$(Get-NodeParent -LiteralPath $Step['kubeconfig'])\pki\ca.crt"
    $ours = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['path'] -eq $ca })
    if ($ours.Count -eq 0) { $ca } else { '' }
}

function Clear-NodePartialJoin {
    # Deletes the files of an aborted join, so that kubeadm can start again: it stops if its files exist, or if the
    # kubelet uses its port.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Close-NodeService -Name 'kubelet'
    $before = Get-NodeBefore -Step $Step
    foreach ($path in Get-NodeJoinTrace -Step $Step) {
        if ($null -ne $before -and @($before['there']) -notcontains $path) { Clear-NodePath -LiteralPath $path }
    }
    if ((Get-NodeMembership -Step $Step).State -eq 'member') { return }
    # It leads to no certificate, or to one that cannot be used any more.
    Clear-NodePath -LiteralPath $Step['kubeconfig']
    Clear-NodeCertificate -Step $Step
}
