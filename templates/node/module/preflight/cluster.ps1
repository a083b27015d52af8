# Checks of the way to the cluster: name, connection, clock, and files that somebody brings.

$script:PreflightKind['dns'] = 'Test-NodeApiServerName'
$script:PreflightKind['apiServer'] = 'Test-NodeApiServer'
$script:PreflightKind['clockSkew'] = 'Test-NodeClockSkew'
$script:PreflightKind['filePresent'] = 'Test-NodeFilePresent'

function Test-NodeApiServerName {
    # Whether the name of the API server has an address.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    if (-not (Test-NodeEndpointKnown -Need $Need)) { return $true }
    $name = (Get-NodeEndpoint -Need $Need).DnsSafeHost
    $addresses = @([System.Net.Dns]::GetHostAddresses($name))
    Write-NodeDetail -Text "$name is $($addresses -join ', ')"
    $addresses.Count -gt 0
}

function Test-NodeApiServer {
    # Whether the API server takes connections, after a wait where it does not yet.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    if (-not (Test-NodeEndpointKnown -Need $Need)) { return $true }
    $uri = Get-NodeEndpoint -Need $Need
    for ($pause = 2; ; $pause = [math]::Min($pause * 2, 30)) {
        try {
            (Connect-NodeEndpoint -Uri $uri).Close()
            break
        } catch {
            $problem = $_.Exception.GetBaseException().Message
            $late = $WhatIfPreference -or (Read-NodeClock) -ge $script:Run.Deadline
            if ($late) { throw "$($uri.Authority): $problem" }
            Write-NodeRow -Place 'check' -State 'waiting' -Id 'api-server' -Text "$($uri.Authority): $problem"
            $null = Read-NodeClock -After $pause
        }
    }
    Write-NodeDetail -Text "$($uri.Authority) takes connections"
    $true
}

function Test-NodeClockSkew {
    # Whether the clock agrees with the API server's: certificates and tokens depend on it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    if (-not (Test-NodeEndpointKnown -Need $Need)) { return $true }
    $server = Get-NodeServerTime -Uri (Get-NodeEndpoint -Need $Need)
    $skew = [math]::Round([math]::Abs(((Read-NodeClock) - $server).TotalSeconds))
    Write-NodeDetail -Text "the clock is $skew s off, at most $($Need['seconds']) are fine"
    $skew -le $Need['seconds']
}

function Test-NodeFilePresent {
    # Whether files are there that somebody has to bring. A machine that has joined needs no more what only
    # served to join, nor does one that somebody else joins; a token that was given otherwise needs no file.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $spent = @(foreach ($step in $script:Run.Document['steps']) {
            if ($null -eq $step['bootstrapKubeconfig']) { continue }
            # Where Join refuses, it is not for want of these.
            $does = $script:MemberState[(Get-NodeMember -Step $step).State].Join
            if ($script:Run.Elsewhere -or $does -cne 'join') {
                $step['bootstrapKubeconfig'], $step['tokenFile'], $step['discoveryFile']
            }
            if ($script:Run.Token -ne '') { $step['tokenFile'] }
        })
    $missing = @($Need['paths'] | Where-Object -FilterScript {
            $null -ne $_ -and $spent -notcontains $_ -and -not (Test-Path -LiteralPath $_)
        })
    Write-NodeDetail -Text $(
        if ($missing.Count -gt 0) { "missing: $($missing -join ', ')" } else { 'all are there' }
    )
    $missing.Count -eq 0
}
