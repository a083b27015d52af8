# Compares the cluster with the bundle before any change.

$script:PreflightKind['cluster'] = 'Test-NodeCluster'

function Test-NodeCluster {
    # Whether cluster and bundle agree. Each difference has a name, both values, and the setting to change; -Accept
    # ignores it. Values that could not be read are listed, and do not stop the run.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $member = Get-NodeMembership
    $state = $script:MemberState[$member.State]
    Write-NodeDetail -Text $member.Text
    if ($state.Join -ceq 'refuse') {
        Write-NodeDetail -Text $state.Remedy
        return $false
    }
    $wrong = 0
    $agreed = @()
    foreach ($row in @(Get-NodeClusterRow -Need $Need)) {
        $taken = $script:Run.Accept -contains $row.Name
        if ($row.State -ceq 'open') { Write-NodeDetail -Text "$($row.Name): not compared: $($row.Cluster)" }
        if ($row.State -ceq 'same') { $agreed += "$($row.Name) ($($row.Cluster))" }
        if ($row.State -cne 'other') { continue }
        if (-not $taken) { $wrong++ }
        $more = if ($taken) { 'accepted' } else { "change $($row.Where), or use -Accept $($row.Name)" }
        Write-NodeDetail -Text "$($row.Name): $($row.By): $($row.Cluster), the bundle: $($row.Bundle); $more"
    }
    if ($agreed.Count -gt 0) { Write-NodeDetail -Text "equal: $(@($agreed | Select-Object -Unique) -join ', ')" }
    $wrong -eq 0
}
