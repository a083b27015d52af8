# kubelet: its certificate, and how another one follows it.

function Write-HostCertificate {
    # What the cluster signed: a new file, and the one that kubelet.conf names. The next is due at 80 percent of
    # its time; the kubelet draws it between 70 and 90.
    param([hashtable] $Plan)

    $from = (Get-HostTime).AddMinutes(-5)
    $Plan.Until = $from.AddDays($script:Machine.Cluster.Days)
    $Plan.Renews = $from.AddDays(0.8 * $script:Machine.Cluster.Days)
    $pem = [WinNodeHost.ApiServer]::Client("system:node:$($Plan.Name)", 'system:nodes', $from, $Plan.Until)
    Set-Content -LiteralPath "$($Plan.Folder)\kubelet-client-$($from.ToString('yyyy-MM-dd-HH-mm-ss')).pem" -Value $pem -NoNewline
    Set-Content -LiteralPath "$($Plan.Folder)\kubelet-client-current.pem" -Value $pem -NoNewline
}

function Update-HostCertificate {
    # Asks for the next one with the one it has, once that is due: signed at once, or requested again later. One that
    # has expired renews nothing.
    param([hashtable] $Plan)

    if (-not $Plan.Rotates -or $script:Machine.Cluster.Signs -ne 'approve') { return }
    if ($null -eq $Plan.Renews) {
        $pem = Get-Content -LiteralPath "$($Plan.Folder)\kubelet-client-current.pem" -Raw
        $one = [System.Security.Cryptography.X509Certificates.X509Certificate2]::CreateFromPem($pem, $pem)
        $from, $Plan.Until = $one.NotBefore.ToUniversalTime(), $one.NotAfter.ToUniversalTime()
        $Plan.Renews = $from.AddSeconds(0.8 * ($Plan.Until - $from).TotalSeconds)
    }
    $now = Get-HostTime
    if ($now -ge $Plan.Renews -and $now -le $Plan.Until) { Write-HostCertificate -Plan $Plan }
}

function Skip-HostCertificate {
    # Time passes until such a share of the time of the kubelet's certificate is over.
    param([double] $Share)

    $pem = Get-Content -LiteralPath 'C:\var\lib\kubelet\pki\kubelet-client-current.pem' -Raw
    $one = [System.Security.Cryptography.X509Certificates.X509Certificate2]::CreateFromPem($pem, $pem)
    $from, $until = $one.NotBefore.ToUniversalTime(), $one.NotAfter.ToUniversalTime()
    $at = $from.AddSeconds($Share * ($until - $from).TotalSeconds)
    Skip-HostTime -Seconds ([math]::Max(0, ($at - (Get-HostTime)).TotalSeconds))
}
