# Compares versions of kubelet and API server.

function Get-NodeVersionComparison {
    # The kubelet may not be newer than the API server, and at most three minors older.
    # https://kubernetes.io/releases/version-skew-policy/
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Answer
    )

    $null = $Way
    $server = [regex]::Match("$($Answer['gitVersion'])", '^v?(?<text>1\.(?<minor>\d+).*)$')
    $ours = [regex]::Match("$($Need['kubelet'])", '^v?1\.(?<minor>\d+)')
    if (-not $server.Success -or -not $ours.Success) { return }
    $older = [int]$server.Groups['minor'].Value - [int]$ours.Groups['minor'].Value
    $most = if ([int]$server.Groups['minor'].Value -ge 28) { 3 } else { 2 }
    $pair = @{ Cluster = $server.Groups['text'].Value; Bundle = "$($Need['kubelet'])" }
    $same = $older -ge 0 -and $older -le $most
    ConvertTo-NodeComparison -Name 'version' @pair -Where 'kubernetes.version' -Same:$same
}
