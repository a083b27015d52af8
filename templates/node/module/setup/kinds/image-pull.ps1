# imagePull: a container image in containerd.

$script:StepKind['imagePull'] = @{ Noun = 'NodeImagePull'; Subject = 'image'; Reset = 'keep' }

function Test-NodeImagePull {
    # True if containerd has the image, by its tag or, if it has one, by its digest.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-Path -LiteralPath $Step['crictl']) -or -not (Test-NodeServiceActive -Name 'containerd')) {
        Write-NodeDetail -Text 'unknown, because containerd does not run'
        return $false
    }
    $wanted = $Step['image']
    # containerd stores name:tag@digest as name@digest.
    if ($wanted.Contains('@')) { $wanted = $wanted -replace ':[^:/@]+@', '@' }
    $text = Invoke-NodeCrictl -Program $Step['crictl'] -ArgumentList 'images', '-o', 'json'
    foreach ($image in (ConvertFrom-NodeJson -Text $text)['images']) {
        if ((@($image['repoTags']) + @($image['repoDigests'])) -ccontains $wanted) { return $true }
    }
    Write-NodeDetail -Text 'containerd does not have the image'
    $false
}

function Set-NodeImagePull {
    # Pulls the image with retries. crictl asks containerd, as the kubelet does; ctr would pull by itself, and
    # ignore registry mirrors unless it gets their folder.
    # https://github.com/containerd/containerd/blob/main/cmd/ctr/commands/resolver.go
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['image'], 'pull')) { return $false }
    for ($attempt = 1; ; $attempt++) {
        try {
            $pull = @{ ArgumentList = 'pull', $Step['image']; Seconds = $script:Limit.BulkSeconds }
            $null = Invoke-NodeCrictl -Program $Step['crictl'] @pull
            return $false
        } catch {
            if ($attempt -ge $script:Limit.Attempts) { throw $_ }
            $message = "attempt ${attempt}: $($_.Exception.Message)"
            Write-NodeLog -Level warn -Step $Step['id'] -Message $message
            $null = Read-NodeClock -After ([math]::Pow(2, $attempt - 1))
        }
    }
}
