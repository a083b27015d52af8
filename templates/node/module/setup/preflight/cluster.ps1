# Checks the connection to the cluster: name, port, clock, and files that the administrator provides.

$script:PreflightKind['dns'] = 'Test-NodeApiServerName'
$script:PreflightKind['apiServer'] = 'Test-NodeApiServer'
$script:PreflightKind['clockSkew'] = 'Test-NodeClockSkew'
$script:PreflightKind['filePresent'] = 'Test-NodeFilePresent'

function Test-NodeApiServerName {
    # Whether the API server's name resolves to an address.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    if (-not (Test-NodeEndpointKnown -Need $Need)) { return $true }
    $name = (Get-NodeEndpoint -Need $Need).DnsSafeHost
    $addresses = @(Wait-NodeAnswer -Id 'dns' -About $name -Question { [System.Net.Dns]::GetHostAddresses($name) })
    Write-NodeDetail -Text "$name is $($addresses -join ', ')"
    $addresses.Count -gt 0
}

function Wait-NodeAnswer {
    # The result of a network query, retried until this run's deadline: names, connections and servers may come up
    # later.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        # ID of the check.
        [Parameter(Mandatory = $true)] [string] $Id,
        [Parameter(Mandatory = $true)] [string] $About,
        [Parameter(Mandatory = $true)] [scriptblock] $Question
    )

    for ($pause = 2; ; $pause = [math]::Min($pause * 2, 30)) {
        try {
            return & $Question
        } catch {
            $why = "${About}: $($_.Exception.GetBaseException().Message)"
        }
        if ($WhatIfPreference -or (Read-NodeClock) -ge $script:Run.Deadline) { throw $why }
        Write-NodeRow -Place 'check' -State 'waiting' -Id $Id -Text $why
        $null = Read-NodeClock -After $pause
    }
}

function Test-NodeApiServer {
    # Whether the API server accepts connections; waits for it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    if (-not (Test-NodeEndpointKnown -Need $Need)) { return $true }
    $uri = Get-NodeEndpoint -Need $Need
    $null = Wait-NodeAnswer -Id 'api-server' -About $uri.Authority -Question { Get-NodeServerTime -Uri $uri }
    Write-NodeDetail -Text "$($uri.Authority) answers"
    $true
}

function Test-NodeClockSkew {
    # Whether the clock agrees with the API server's: certificates and tokens depend on it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    if (-not (Test-NodeEndpointKnown -Need $Need)) { return $true }
    $uri = Get-NodeEndpoint -Need $Need
    $server = Wait-NodeAnswer -Id 'clock-skew' -About $uri.Authority -Question { Get-NodeServerTime -Uri $uri }
    $skew = [math]::Round([math]::Abs(((Read-NodeClock) - $server).TotalSeconds))
    Write-NodeDetail -Text "the clock is $skew s off, at most $($Need['seconds']) s are allowed"
    $skew -le $Need['seconds']
}

function Test-NodeFilePresent {
    # Whether the files exist that the administrator provides, and programs can read the credentials in them. Files
    # that are only used to join are not needed on a node that has joined, or that another program joins; a token
    # passed in another way needs no file.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $spent = @(foreach ($step in $script:Run.Document['steps']) {
            if ($null -eq $step['bootstrapKubeconfig']) { continue }
            # If Join refuses, missing files are not the reason.
            $does = $script:MemberState[(Get-NodeMembership -Step $step).State].Join
            if ($script:Run.Elsewhere -or $does -cne 'join') {
                $step['bootstrapKubeconfig'], $step['tokenFile'], $step['discoveryFile']
            }
            if ($script:Run.Token -ne '') { $step['tokenFile'] }
        })
    $missing = @($Need['paths'] | Where-Object -FilterScript {
            # A folder of that name is not a file.
            $null -ne $_ -and $spent -notcontains $_ -and -not (Test-Path -LiteralPath $_ -PathType Leaf)
        })
    Write-NodeDetail -Text $(
        if ($missing.Count -gt 0) { "missing: $($missing -join ', ')" } else { 'all files exist' }
    )
    $cluster = Get-NodeClusterNeed
    $faults = @(foreach ($name in @($cluster.Keys) -cmatch '(TokenFile|Certificate|Key)$') {
            if (Test-Path -LiteralPath $cluster[$name] -PathType Leaf) {
                Get-NodeEncodingFault -LiteralPath $cluster[$name] | Where-Object -FilterScript { $_ -ne '' }
            }
        })
    foreach ($fault in $faults) { Write-NodeDetail -Text $fault }
    $missing.Count -eq 0 -and $faults.Count -eq 0
}
