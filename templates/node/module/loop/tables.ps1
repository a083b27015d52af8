# Tables that kinds and checks fill, and limits that several files share.

# Kind of a step: the noun of its functions, the property that identifies it in messages, and what Reset does.
# Kinds with the same Backup- and Restore- functions name them as their Memory.
# restore: restores what Backup saved; nothing saved means nothing was changed. always: removes it, because a
# program that a step started created it. keep: leaves it, or another step removes it.
# Set- and Restore- return true if the step needs a restart of the machine.
$script:StepKind = @{}

# Kind of a preflight check: the function that runs it.
$script:PreflightKind = @{}

# Kind of a health check of a joined node: the function that runs it, its event ID, and the remedy.
$script:HealthKind = @{}

$script:Limit = @{
    Attempts       = 5
    ConnectSeconds = 30
    ReadSeconds    = 60
    TellSeconds    = 10
    DownloadBytes  = 1GB
    ChecksumBytes  = 1MB
    # A download that receives less than SlowBytes in SlowSeconds is aborted.
    SlowSeconds    = 60
    SlowBytes      = 512KB
    Redirects      = 5
    # A request to the API server: the longest answer is a page of 500 Nodes.
    RequestSeconds = 10
    RequestLength  = 32MB
    # A request to containerd: as long as the kubelet waits by default (runtimeRequestTimeout).
    # https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
    RuntimeSeconds = 120
    # A call of crictl that pulls an image or removes many: the layers of Windows take long.
    BulkSeconds    = 3600
    ServiceSeconds = 60
    # A call of HNS: it lists thousands of endpoints in seconds, and waits for kube-proxy's calls.
    HnsSeconds     = 120
    LockSeconds    = 300
    LogBytes       = 10MB
    # Limits of a report: for each log, file and text, for each list, in total, and the time that each query and
    # each part with the checks of a run may take.
    ReportLines    = 500
    ReportBytes    = 128KB
    ReportValue    = 4KB
    ReportItems    = 300
    ReportSize     = 8MB
    ReportSeconds  = 20
    AskedSeconds   = 180
    TraceMiB       = 250
}

# The culture of times and numbers that programs read.
$script:Invariant = [System.Globalization.CultureInfo]::InvariantCulture

# A bootstrap token. https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/
$script:TokenForm = '^[a-z0-9]{6}\.[a-z0-9]{16}$'

$script:SessionManager = 'HKLM:\SYSTEM\CurrentControlSet\Control\Session Manager'
$script:WindowsVersion = 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion'
