# Parts of a report that run the checks of a run, each in its own PowerShell and with a time limit.

$script:ReportAsked = [ordered]@{
    facts     = { Get-NodeReportFact }
    firewall  = { , @(Get-NodeReportFirewall) }
    steps     = { , @(Get-NodeReportStep) }
    preflight = {
        Invoke-NodePreflight -Phase beforeJoin -Kind $script:ReportedCheck
        , @($script:Run.Preflight)
    }
    health    = { , @(if ($script:Run.State['joined']) { Get-NodeHealth }) }
}

# Checks that query no other machine and wait for nothing: a report is also needed if the network is the problem.
$script:ReportedCheck = @(
    'windowsServer', 'windowsBuild', 'revisionNotBetween', 'revisionAtLeast', 'volume', 'systemDrive', 'nodeName'
    'providerID', 'pendingRestart', 'pendingRename', 'filePresent', 'secureBootOff', 'otherEngines'
)

function Get-NodeReportCheck {
    # The result of such a part; also records what it could not read.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $script = {
        param($Module, $Bundle, $Name)
        if ($null -eq (Get-Module -Name 'WinNode.Report')) { Import-Module -Name $Module }
        $known = Get-Module -Name 'WinNode.Loop'
        & $known { param($Bundle, $Name) Read-NodeReportCheck -Bundle $Bundle -Name $Name } $Bundle $Name
    }
    $bundle = $script:Run.Bundle
    $module = Join-Path -Path $bundle -ChildPath 'WinNode.Report.psm1'
    $limit = $script:Limit.AskedSeconds
    $said = Invoke-NodeWithTimeout -Script $script -ArgumentList $module, $bundle, $Name -Seconds $limit
    $known = @($script:Run.Unread | ForEach-Object -Process { $_['what'] })
    $script:Run.Unread += @($said['unread'] | Where-Object -FilterScript { $known -cnotcontains $_['what'] })
    , $said['found']
}

function Read-NodeReportCheck {
    # Opens a run if there is none: a new PowerShell does not share the run of the first one.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $Bundle,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $opens = $null -eq $script:Run
    try {
        if ($opens) {
            Open-NodeRun -Path $Bundle -AnyMemory
            Initialize-NodeName
        }
        $found = & $script:ReportAsked[$Name]
        @{ found = $found; unread = @($script:Run.Unread) }
    } finally {
        if ($opens) { Close-NodeRun }
    }
}

function Get-NodeReportStep {
    # The results of the steps; on a node that has joined, of all phases.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $phases = if ($script:Run.State['joined']) { $script:Phases } else { 'image' }
    foreach ($one in $phases) { $null = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
    $script:Run.Steps
}
