# kubelet: the access lists that it sets on the folders of logs, and since when.

# The fix of CVE-2024-5321, by minor; places in test/host/README.md.
$script:LogListSince = @{ 27 = 16; 28 = 12; 29 = 7; 30 = 3 }

function Initialize-HostLogFolder {
    # At each start on both; below 1.30 the folder of pods' logs keeps the list that it has, unless the kubelet
    # makes the folder itself.
    $text = [regex]::Match((Get-Content -LiteralPath 'C:\k\kubelet.exe' -Raw), 'v1\.(\d+)\.(\d+)')
    $minor = [int]$text.Groups[1].Value
    $lists = $minor -gt 30 -or ($minor -ge 27 -and [int]$text.Groups[2].Value -ge $script:LogListSince[$minor])
    foreach ($name in 'pods', 'containers') {
        $path = "C:\var\log\$name"
        $made = -not (Test-Path -LiteralPath $path)
        if ($made) { $null = New-Item -ItemType Directory -Path $path -Force }
        if (-not $lists -or ($name -eq 'pods' -and $minor -lt 30 -and -not $made)) { continue }
        $list = Get-Acl -LiteralPath $path
        $list.SetSecurityDescriptorSddlForm('D:P(A;OICI;FA;;;BA)(A;OICI;FRFX;;;SY)(A;OICI;;;;BU)', 'Access')
        Set-Acl -LiteralPath $path -AclObject $list
    }
}
