# The present run.

# Everything about the present run: bundle, node.json, state, secrets, log and results.
$script:Run = $null

function Initialize-NodeRun {
    # Begins a run with nothing known about it but its bundle.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Path)

    $bundle = Resolve-NodePath -LiteralPath $Path
    $script:Run = @{
        Bundle = $bundle; Document = $null; State = $null; StateFile = ''; StateText = ''
        Lock = $null; Log = ''; From = ''
        Secrets = @(); Token = ''; Force = $false; Facts = @{}
        Message = ''; Lack = ''; Accept = @(); Place = ''; Elsewhere = $false
        Deadline = [DateTime]::MaxValue; Since = $null
        Steps = @(); Preflight = @(); Health = @(); Details = @(); Unread = @(); Started = @(); Balancers = @()
        # The lists of HNS by kind, in a part of a run that changes nothing; otherwise null.
        Hns = $null; HnsHangs = $false
        Checks = @(); Repairs = @{}; Quiet = $false; Doubtful = $false
        RemoveData = $false; RemoveFeature = $false; Refused = $false
    }
}

function Get-NodeKindStep {
    # The steps of a kind, or the one of a name.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $Kind,
        [Parameter()] [string] $Name = ''
    )

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq $Kind -and ($Name -eq '' -or $step['name'] -ceq $Name)) { $step }
    }
}
