# Sends requests to the API server with kubectl: nothing else in the modules of a node does TLS.

# Errors of kubectl that a retry may pass: no connection, or a server that starts or has too much to do. A server
# whose certificate is not valid stays so.
# https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go
$script:PassingRequest = '^(?!.*x509: )(?:Unable to connect to the server|The connection to the server)|' +
'^.*kubectl\.exe: no answer within|' +
'^Error from server(?: \((?:TooManyRequests|ServiceUnavailable|InternalError|Timeout|ServerTimeout)\))?:'

# No preferences of the user, which may add flags, and no proxy of the environment: a kubeconfig may name one.
# https://kubernetes.io/docs/reference/kubectl/kuberc/
$script:KubectlEnvironment = @{ KUBERC = 'off'; KUBECTL_KUBERC = 'false'; NO_PROXY = '*' }

function Invoke-NodeKubectl {
    # One GET with server, CA and credentials of a kubeconfig.
    # Not kubectl get KIND: it asks for all kinds of the API first, and keeps them in the user's folder.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $Kubeconfig,
        [Parameter(Mandatory = $true)] [string] $Path,
        # Log has what kubectl writes about the request at this level.
        [Parameter()] [int] $Level = 0
    )

    $words = @('get', '--raw', $Path)
    if ($Level -gt 0) { $words += "--v=$Level" }
    Invoke-NodeKubectlCommand -Kubeconfig $Kubeconfig -ArgumentList $words
}

function Invoke-NodeKubectlCommand {
    # Runs kubectl with a kubeconfig. Text is the answer; Problem is kubectl's error, or empty; Reason is the
    # reason of the API server: NotFound, Unauthorized. Lasting: a retry would have the same result.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $Kubeconfig,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList
    )

    $answer = @{ Text = ''; Problem = ''; Reason = ''; Lasting = $true; Log = '' }
    $seconds = $script:Limit.RequestSeconds
    $call = @{
        FilePath     = Find-NodeProgram -Name 'kubectl.exe'
        ArgumentList = @("--kubeconfig=$Kubeconfig", "--request-timeout=${seconds}s") + $ArgumentList
        Environment  = $script:KubectlEnvironment
        # kubectl repeats a request after an answer with Retry-After, each with its own limit.
        Seconds      = 3 * $seconds
        Characters   = $script:Limit.RequestLength
    }
    if ($call.FilePath -eq '') {
        $answer.Problem = 'kubectl.exe is not in this bundle'
        return $answer
    }
    try {
        $said = Read-NodeLimitedNative @call
        $answer.Log = $said.Problem
        if ($said.Code -eq 0) {
            $answer.Text = $said.Text
            return $answer
        }
        # Before the error there may be warnings, and what is logged.
        $last = [regex]::Match($said.Problem, '(?ms)^(?:[Ee]rror[ :]|Unable to|The connection|Server returned).*')
        $answer.Problem = if ($last.Success) { $last.Value.Trim() -replace '\s*[\r\n]+\s*', ' ' } else {
            "kubectl: exit code $($said.Code): $($said.Problem)".Trim()
        }
    } catch {
        $answer.Problem = $_.Exception.GetBaseException().Message
    }
    $answer.Lasting = $answer.Problem -notmatch $script:PassingRequest
    if ($answer.Problem -match '^Error from server \((?<reason>\w+)\)') { $answer.Reason = $Matches['reason'] }
    if ($answer.Problem -match '^error: You must be logged in') { $answer.Reason = 'Unauthorized' }
    $answer
}
