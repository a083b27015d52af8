# host-local: gives addresses of a range in turn, each kept in a file; from verdicts and the plugin's source.

Add-HostProgram -Name 'host-local' -Body {
    # What it refuses it says as JSON on standard output.
    param($Call)
    try {
        $result = Invoke-HostLocal -Conf (ConvertFrom-Json -InputObject $Call.Text -AsHashtable)
        if ($null -ne $result) { $Call.Out += ConvertTo-Json -Compress -Depth 5 -InputObject $result }
    } catch {
        $Call.Out += ConvertTo-Json -Compress -InputObject @{ code = 999; msg = "$_" }
        $Call.Code = 1
    }
}

function Invoke-HostLocal {
    # One call, by the environment that CNI defines.
    param([hashtable] $Conf)

    if (-not $Conf['name']) { throw 'missing network name' }
    $range = Get-HostLocalRange -Ipam $Conf['ipam']
    $store = "$($Conf['ipam']['dataDir'])\$($Conf['name'])"
    $owner = "$env:CNI_CONTAINERID`r`n$env:CNI_IFNAME"
    $null = New-Item -ItemType Directory -Path $store -Force
    $kept = @(Get-ChildItem -LiteralPath $store -File | ForEach-Object -Process { $_.Name }) -match '^\d+(\.\d+){3}$'
    $mine = @($kept | Where-Object -FilterScript { (Get-Content -LiteralPath "$store\$_" -Raw) -ceq $owner })
    if ($env:CNI_COMMAND -eq 'DEL') { foreach ($file in $mine) { Remove-Item -LiteralPath "$store\$file" }; return }
    if ($env:CNI_COMMAND -ne 'ADD') { throw "unknown CNI_COMMAND: $env:CNI_COMMAND" }
    $mark = "$store\last_reserved_ip.0"
    $failed = 'failed to allocate for range 0'
    $wish = [regex]::Match("$env:CNI_ARGS", '(?:^|;)IP=([^;]*)')
    if ($wish.Success) {
        $address = $wish.Groups[1].Value
        if (-not $address.StartsWith($range.Prefix) -or $address -eq "$($range.Prefix)0") { throw "failed to allocate all requested IPs: $address" }
        if ($address -eq $range.Gateway) { throw "${failed}: requested ip $address is subnet's gateway" }
        if ($kept -contains $address) { throw "${failed}: requested IP address $address is not available in range set $($range.Prefix)1-$($range.Prefix)254" }
    } else {
        if ($mine.Count -gt 0) { throw "${failed}: $($mine[0]) has been allocated to $env:CNI_CONTAINERID, duplicate allocation is not allowed" }
        # In turn: after the last one that it gave, whatever became of that.
        $last = if (Test-Path -LiteralPath $mark) { Get-Content -LiteralPath $mark -Raw } else { '' }
        $from = if ($last -match "^$([regex]::Escape($range.Prefix))(\d+)$" -and [int]$Matches[1] -lt 254) { [int]$Matches[1] } else { 0 }
        $turn = @($from..253 | ForEach-Object -Process { $_ + 1 }) + @(1..254)
        $free = @($turn | Where-Object -FilterScript { "$($range.Prefix)$_" -ne $range.Gateway -and $kept -notcontains "$($range.Prefix)$_" })
        if ($free.Count -eq 0) { throw "${failed}: no IP addresses available in range set: $($range.Prefix)1-$($range.Prefix)254" }
        $address = "$($range.Prefix)$($free[0])"
    }
    [System.IO.File]::WriteAllText((Convert-Path -LiteralPath $store) + "/$address", $owner)
    [System.IO.File]::WriteAllText((Convert-Path -LiteralPath $store) + '/last_reserved_ip.0', $address)
    @{ cniVersion = $Conf['cniVersion']; ips = @(@{ address = "$address/24"; gateway = $range.Gateway }) }
}

function Get-HostLocalRange {
    # The range of a conf; subnets of 24 bits are all that is stood in for.
    param([hashtable] $Ipam)

    if ($Ipam['ranges'] -and $Ipam['ranges'][0] -isnot [array]) {
        throw 'json: cannot unmarshal object into Go struct field IPAMConfig.ipam.ranges of type allocator.RangeSet'
    }
    $subnet = if ($Ipam['ranges']) { $Ipam['ranges'][0][0]['subnet'] } else { $Ipam['subnet'] }
    if (-not $subnet) { throw 'no IP ranges specified' }
    if ($subnet -notmatch '^(\d+\.\d+\.\d+\.)(\d+)/24$') { throw "invalid CIDR address: $subnet" }
    if ($Matches[2] -ne '0') {
        throw "invalid range set 0: Network has host bits set. For a subnet mask of length 24 the network address is $($Matches[1])0"
    }
    @{ Prefix = $Matches[1]; Gateway = "$($Matches[1])1" }
}
