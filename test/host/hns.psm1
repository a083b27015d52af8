# Stands in for Microsoft's hns.psm1: the parameters, the types and the errors of its Invoke-HNSRequest.
# https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/hns.psm1

function Invoke-HNSRequest {
    param(
        [ValidateSet('GET', 'POST', 'DELETE')] [Parameter(Mandatory = $true)] [string] $Method,
        [ValidateSet('networks', 'endpoints', 'activities', 'policylists', 'endpointstats', 'plugins')]
        [Parameter(Mandatory = $true)] [string] $Type,
        [Parameter(Mandatory = $false)] [string] $Action = $null,
        [Parameter(Mandatory = $false)] [string] $Data = $null,
        [Parameter(Mandatory = $false)] [Guid] $Id = [Guid]::Empty
    )

    $output = Invoke-HostHns -Method $Method -Type $Type -Action $Action -Data $Data -Id $Id | ConvertFrom-Json
    if ($output.PSObject.Properties['Error']) { Write-Error $output }
    # $null without one.
    return $(if ($output.PSObject.Properties['Output']) { $output.Output } else { $null })
}

function Get-HNSPolicyList { throw 'the in-box command of this name is meant' }

Export-ModuleMember -Function Invoke-HNSRequest, Get-HNSPolicyList
