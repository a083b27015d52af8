# Compares the CA of the node's credentials with the CA of the bundle's cluster; addresses may change.

function Get-NodeOtherCluster {
    # How the CA of kubelet.conf differs from the bundle's; an empty string if it does not, or cannot be compared.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [hashtable] $Member
    )

    try {
        $wanted = @(Get-NodeWantedAuthority -Step $Step)
    } catch {
        # An invalid CA in the bundle is reported where it is used; here it only cannot be compared.
        Write-Verbose -Message $_.Exception.Message
        return ''
    }
    $here = @(Get-NodeAuthorityDigest -Pem $Member.Ca)
    # While the CA of a cluster is rotated, both sides may have two.
    $same = @($here | Where-Object -FilterScript { $wanted -ccontains $_ })
    if ($wanted.Count -eq 0 -or $same.Count -gt 0) { return '' }
    "the CA public key hash in $($Step['kubeconfig']) ($($Member.Server)) is $($here -join ', '), " +
    "expected $($wanted -join ', ')"
}

function Get-NodeWantedAuthority {
    # CA public key hashes of the bundle's cluster: from the profile, the discovery file, or the CA itself. None if
    # no file contains them any more.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $need = Get-NodeClusterNeed
    if ($null -ne $need['caCertHashes']) { return @($need['caCertHashes']) }
    if ($Step['kind'] -ceq 'bootstrapJoin') {
        # Not the file on the disk, which an earlier bundle may have written.
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
    # The public key hashes of the CAs in a PEM text.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Pem)

    foreach ($one in @(Get-NodeCertificate -Pem $Pem)) { Get-NodeKeyDigest -Certificate $one }
}
