# Whether credentials are of the cluster that the bundle is for: by the CA, as addresses may change.

function Get-NodeOtherCluster {
    # How the CA of kubelet.conf differs from the bundle's; an empty text where it does not, or cannot be told.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [hashtable] $Member
    )

    try {
        $wanted = @(Get-NodeWantedAuthority -Step $Step)
    } catch {
        # What the bundle brings is looked at where it is used; here it only cannot be compared.
        $problem = $_
        Write-Verbose -Message $problem.Exception.Message
        return ''
    }
    $here = @(Get-NodeAuthorityDigest -Pem $Member.Ca)
    # While a cluster changes its CA, both sides may hold two of them.
    $same = @($here | Where-Object -FilterScript { $wanted -ccontains $_ })
    if ($wanted.Count -eq 0 -or $same.Count -gt 0) { return '' }
    "$($Step['kubeconfig']) is of $($Member.Server) with the CA $($here -join ', '), " +
    "the bundle is for the CA $($wanted -join ', ')"
}

function Get-NodeWantedAuthority {
    # Digests of the bundle's CA: from the profile, the discovery file, or the CA itself. None where no file
    # says it any more.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $need = Get-NodeClusterNeed
    if ($null -ne $need['caCertHashes']) { return @($need['caCertHashes']) }
    if ($Step['kind'] -ceq 'bootstrapJoin') {
        # Not the one on the disk: that may still be the one that an earlier bundle has written.
        foreach ($one in $script:Run.Document['steps']) {
            if ($one['kind'] -cne 'file' -or $one['path'] -ne $Step['ca']) { continue }
            $source = Resolve-NodeSource -Source $one['source'] -Sha256 $one['sha256']
            return Get-NodeAuthorityDigest -Pem (Read-NodeText -LiteralPath $source)
        }
        return
    }
    $file = "$($need['discoveryFile'])"
    if ($file -eq '' -or -not (Test-Path -LiteralPath $file)) { return }
    Get-NodeAuthorityDigest -Pem (Read-NodeKubeconfig -LiteralPath $file)['Ca']
}

function Get-NodeAuthorityDigest {
    # The digests of the authorities in a PEM text.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Pem)

    foreach ($one in @(Get-NodeCertificate -Pem $Pem)) { Get-NodeKeyDigest -Certificate $one }
}
