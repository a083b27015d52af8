# Finds the server, the CA and the credentials of this run for queries to the cluster.

function Get-NodeClusterConnection {
    # Server, CA and credentials for queries before a join; Problem is set if the CA is not the expected one.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $way = @{
        Server     = ''
        Ca         = ''
        Token      = ''
        Kubeconfig = ''
        Problem    = ''
        From       = 'join.endpoint'
        Where      = 'join.caCertHashes'
        Name       = 'token'
        Shows      = 'credentials that are unknown or expired'
        Renew      = 'the token: kubeadm token create'
    }
    $step = Get-NodeJoinStep
    if ($null -eq $step) { return $way }
    $member = Get-NodeMembership -Step $step
    if ($member.State -eq 'member') {
        foreach ($name in 'Server', 'Ca') { $way[$name] = $member[$name] }
        $way.Kubeconfig = $step['kubeconfig']
        $way.From = $step['kubeconfig']
        $way.Where = $step['kubeconfig']
        $way.Name = 'certificate'
        $way.Shows = "a certificate of $($member.Name)"
        $way.Renew = 'the certificate: run Reset-WinNode.ps1, then install and join again'
        return $way
    }
    $file = "$($Need['discoveryFile'])"
    if ($step['kind'] -ceq 'bootstrapJoin') { $file = $step['bootstrapKubeconfig'] }
    if ($file -ne '') {
        $way.Where = $file
        $way.From = $file
        if (-not (Test-Path -LiteralPath $file)) { return $way }
        $found = Read-NodeKubeconfig -LiteralPath $file
        foreach ($name in 'Server', 'Ca', 'Token') { $way[$name] = $found[$name] }
    } else {
        Find-NodeAuthority -Need $Need -Way $way
    }
    if ($step['kind'] -ceq 'kubeadmJoin') { $way.Token = Get-NodeToken -Step $step }
    if ($way.Ca -eq '') { $way.Server = '' }
    $way
}

function Find-NodeAuthority {
    # Takes the CA from the server at the endpoint, as kubeadm does, and trusts it only by its public key hash.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/discovery/token/token.go
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Way
    )

    $Way.Server = "https://$($Need['endpoint'])"
    $path = '/api/v1/namespaces/kube-public/configmaps/cluster-info'
    $answer = Get-NodeClusterAnswer -Way $Way -Path $path
    if ($answer.Problem -ne '') { return }
    $text = (ConvertFrom-NodeJson -Text $answer.Text)['data']['kubeconfig']
    $found = @{ Path = 'cluster-info'; Text = $text }
    $data = Get-NodeKubeconfigField -Found $found -Name 'certificate-authority-data'
    $ca = [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($data))
    $digests = @(Get-NodeCertificate -Pem $ca | ForEach-Object -Process { Get-NodeKeyDigest -Certificate $_ })
    $known = @($digests | Where-Object -FilterScript { @($Need['caCertHashes']) -ccontains $_ })
    if ($known.Count -eq 0) { $Way.Problem = "CA public key hash $($digests -join ', ')" }
    $Way.Ca = $ca
}

function Get-NodeClusterAnswer {
    # One answer of the cluster; errors that may pass are retried until this run's deadline.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [string] $Path
    )

    for ($pause = 2; ; $pause = [math]::Min($pause * 2, 30)) {
        $answer = Invoke-NodeRequest -Way $Way -Path $Path
        if ($answer.Lasting) { return $answer }
        $why = "$($Way.Server): $($answer.Problem)"
        if ($WhatIfPreference -or (Read-NodeClock) -ge $script:Run.Deadline) { throw $why }
        Write-NodeRow -Place 'check' -State 'waiting' -Id 'cluster' -Text $why
        $null = Read-NodeClock -After $pause
    }
}
