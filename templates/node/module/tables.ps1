# Tables that the files of kinds and checks add to, and what several files share.

# Kind of a step: the noun of its functions, the property that a person knows it by, and what Reset does.
# Kinds of files share the Backup- and Restore- of a Memory.
# restore: puts back what Backup noted; nothing noted means nothing was changed. always: takes it away, as
# it was made by a program that we started. keep: leaves it, or another step takes it away.
$script:StepKind = @{}

# Kind of a preflight check: the function that answers it.
$script:PreflightKind = @{}

# Kind of a check of a member's health: the function that answers it, the number of its events, and what a
# person does where it does not work.
$script:HealthKind = @{}

$script:Limit = @{
    Attempts       = 5
    ConnectSeconds = 30
    ReadSeconds    = 60
    TellSeconds    = 10
    DownloadBytes  = 1GB
    ChecksumBytes  = 1MB
    # Whoever sends less than this in such a time is taken for one that never ends.
    SlowSeconds    = 60
    SlowBytes      = 512KB
    Redirects      = 5
    ServiceSeconds = 60
    LockSeconds    = 300
    LogBytes       = 10MB
    # What a report holds: of each log, file and text, of each list, all in all, and how long each question and
    # each part that asks as a run does may take.
    ReportLines    = 500
    ReportBytes    = 128KB
    ReportValue    = 4KB
    ReportItems    = 300
    ReportSize     = 8MB
    ReportSeconds  = 20
    AskedSeconds   = 180
}

# A bootstrap token. https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/
$script:TokenForm = '^[a-z0-9]{6}\.[a-z0-9]{16}$'

$script:SessionManager = 'HKLM:\SYSTEM\CurrentControlSet\Control\Session Manager'
$script:WindowsVersion = 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion'
