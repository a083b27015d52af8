# Where the cluster is, by which CA it proves itself, and what this run may show to it.

function Get-NodeClusterWay {
    # Server, CA and credentials for questions before a join; Problem says why the CA is not the right one.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $way = @{
        Server  = ''
        Ca      = ''
        Token   = ''
        Pem     = ''
        Problem = ''
        From    = 'join.endpoint'
        Where   = 'join.caCertHashes'
        Name    = 'token'
        Shows   = 'one that it does not know, or that has expired'
        Renew   = 'it: kubeadm token create makes another'
    }
    $step = Get-NodeJoinStep
    if ($null -eq $step) { return $way }
    $member = Get-NodeMember -Step $step
    if ($member.State -eq 'member') {
        foreach ($name in 'Server', 'Ca', 'Pem') { $way[$name] = $member[$name] }
        $way.From = $step['kubeconfig']
        $way.Where = $step['kubeconfig']
        $way.Name = 'certificate'
        $way.Shows = "a certificate of $($member.Name)"
        $way.Renew = 'it: run Reset-WinNode.ps1, then join anew'
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
    # Takes the CA from whoever answers, as kubeadm does, and believes it only by its digest.
    # https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/discovery/token/token.go
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [hashtable] $Way
    )

    $Way.Server = "https://$($Need['endpoint'])"
    $path = '/api/v1/namespaces/kube-public/configmaps/cluster-info'
    $answer = Get-NodeClusterAnswer -Way $Way -Path $path
    if ($answer.Code -ne 200) { return }
    $text = (ConvertFrom-NodeJson -Text $answer.Text)['data']['kubeconfig']
    $data = Get-NodeKubeconfigField -Text $text -Name 'certificate-authority-data' -LiteralPath 'cluster-info'
    $ca = [System.Text.Encoding]::ASCII.GetString([System.Convert]::FromBase64String($data))
    $digests = @(Get-NodeCertificate -Pem $ca | ForEach-Object -Process { Get-NodeKeyDigest -Certificate $_ })
    $known = @($digests | Where-Object -FilterScript { @($Need['caCertHashes']) -ccontains $_ })
    if ($known.Count -eq 0) { $Way.Problem = "its CA has the digest $($digests -join ', ')" }
    $Way.Ca = $ca
}

function Get-NodeClusterAnswer {
    # One answer of the cluster; what may pass is waited for until this run's time is over.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Way,
        [Parameter(Mandatory = $true)] [string] $Path
    )

    $uri = New-Object -TypeName System.Uri -ArgumentList $Way.Server
    $ask = @{ Uri = $uri; Path = $Path; Ca = $Way.Ca; Token = $Way.Token; Pem = $Way.Pem }
    for ($pause = 2; ; $pause = [math]::Min($pause * 2, 30)) {
        $answer = Invoke-NodeRequest @ask
        if ($answer.Lasting) { return $answer }
        $late = $WhatIfPreference -or (Read-NodeClock) -ge $script:Run.Deadline
        $why = "$($uri.Authority): $(Get-NodeAnswerText -Answer $answer)"
        if ($late) { throw $why }
        Write-NodeRow -Place 'check' -State 'waiting' -Id 'cluster' -Text $why
        $null = Read-NodeClock -After $pause
    }
}
