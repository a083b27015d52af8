# Compares versions of kubelet and API server.

function Get-NodeVersionComparison {
    # The kubelet may not be newer than the API server, and only so many minors older.
    # https://kubernetes.io/releases/version-skew-policy/
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([Parameter(Mandatory = $true)] [hashtable] $Asked)

    $server = [regex]::Match("$($Asked.Answer['gitVersion'])", '^v?(?<text>1\.(?<minor>\d+).*)$')
    $ours = [regex]::Match("$($Asked.Need['kubelet'])", '^v?1\.(?<minor>\d+)')
    if (-not $server.Success -or -not $ours.Success) { return }
    $older = [int]$server.Groups['minor'].Value - [int]$ours.Groups['minor'].Value
    $pair = @{ Cluster = $server.Groups['text'].Value; Bundle = "$($Asked.Need['kubelet'])" }
    $same = $older -ge 0 -and $older -le [int]$Asked.Need['maxOlder']
    ConvertTo-NodeComparison -Name 'version' @pair -Where 'kubernetes.version' -Same:$same
}
