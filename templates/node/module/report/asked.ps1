# Parts of a report that ask as a run asks, each in a PowerShell of its own and for so long at most.

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

# Checks that ask nobody else and wait for nothing: a report is also made where the network is what is wrong.
$script:ReportedCheck = @(
    'windowsServer', 'windowsBuild', 'revisionNotBetween', 'revisionAtLeast', 'volume', 'systemDrive', 'nodeName'
    'providerID', 'pendingRestart', 'pendingRename', 'filePresent', 'secureBootOff', 'otherEngines'
)

function Get-NodeReportAsked {
    # What such a part finds; what it could not read is noted here, too.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $script = {
        param($Module, $Bundle, $Name)
        $known = Get-Module -Name 'WinNode'
        if ($null -eq $known) { $known = Import-Module -Name $Module -PassThru }
        & $known { param($Bundle, $Name) Read-NodeReportAsked -Bundle $Bundle -Name $Name } $Bundle $Name
    }
    $bundle = $script:Run.Bundle
    $module = Join-Path -Path $bundle -ChildPath 'WinNode.psm1'
    $limit = $script:Limit.AskedSeconds
    $said = Invoke-NodeBeside -Script $script -ArgumentList $module, $bundle, $Name -Seconds $limit
    $known = @($script:Run.Unread | ForEach-Object -Process { $_['what'] })
    $script:Run.Unread += @($said['unread'] | Where-Object -FilterScript { $known -cnotcontains $_['what'] })
    , $said['found']
}

function Read-NodeReportAsked {
    # Opens a run where there is none: a PowerShell of its own knows nothing of the one beside it.
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
        if ($opens) {
            Clear-NodeClientPair
            Close-NodeRun
        }
    }
}

function Get-NodeReportStep {
    # What each step finds, of a member in all phases.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $phases = if ($script:Run.State['joined']) { $script:Phases } else { 'image' }
    foreach ($one in $phases) { $null = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
    $script:Run.Steps
}
