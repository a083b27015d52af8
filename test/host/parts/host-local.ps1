# host-local: gives addresses of a range in turn, each kept in a file of the network's folder.

# Sources and what they say stand in test/host/README.md.
Add-HostProgram -Name 'host-local' -Body {
    # What it refuses it says as JSON on standard output.
    param($Call)
    try {
        $cni = Read-HostCniCall -Text $Call.Text
        $sets = @(Read-HostRange -Conf $cni.Conf)
        $store = Open-HostStore -Call $cni
        switch ($cni.Command) {
            'ADD' { $Call.Out += ConvertTo-Json -Depth 5 -InputObject (ConvertTo-HostCniResult -Version $cni.Version -Address @(Add-HostAddress -Call $cni -Set $sets -Store $store)) }
            'DEL' { Clear-HostAddress -Call $cni -Store $store }
            'CHECK' { if (@(Find-HostAddress -Call $cni -Store $store).Count -eq 0) { throw "host-local: Failed to find address added by container $($cni.Id)" } }
        }
    } catch {
        $Call.Out += ConvertTo-Json -InputObject ([ordered]@{ code = 999; msg = "$_" })
        $Call.Code = 1
    }
}

function Open-HostStore {
    # The folder of a network, with the file that locks it.
    param([hashtable] $Call)

    $folder = "$(Get-HostField -Object (Get-HostField -Object $Call.Conf -Name 'ipam') -Name 'dataDir')"
    if ($folder -eq '') { $folder = '/var/lib/cni/networks' }
    $store = "$(ConvertTo-HostPath -Path $folder)\$($Call.Name)"
    $null = New-Item -ItemType Directory -Path $store -Force
    if (-not (Test-Path -LiteralPath "$store\lock")) { $null = New-Item -ItemType File -Path "$store\lock" }
    $store
}

function Read-HostRange {
    # Sets of ranges of a conf, each with its ends and its gateway: the old form first, then the lists of lists.
    param([System.Collections.IDictionary] $Conf)

    $ipam = Get-HostField -Object $Conf -Name 'ipam'
    if ($null -eq $ipam) { throw 'IPAM config missing ''ipam'' key' }
    $lists = @()
    $given = Get-HostField -Object $ipam -Name 'ranges'
    foreach ($list in @($given)) {
        if ($null -eq $list) { continue }
        if ($list -isnot [array]) { throw 'json: cannot unmarshal object into Go struct field IPAMConfig.ipam.ranges of type allocator.RangeSet' }
        $lists += , $list
    }
    if (Get-HostField -Object $ipam -Name 'subnet') { $lists = @(, @($ipam)) + $lists }
    if ($lists.Count -eq 0) { throw 'no IP ranges specified' }
    $sets = @(foreach ($list in $lists) { , @(foreach ($range in $list) { ConvertTo-HostRange -Range $range }) })
    for ($index = 0; $index -lt $sets.Count; $index++) {
        if ($sets[$index].Count -eq 0) { throw "invalid range set ${index}: empty range set" }
        foreach ($range in $sets[$index]) {
            if ($range.Refusal) { throw "invalid range set ${index}: $($range.Refusal)" }
        }
    }
    foreach ($set in $sets) { , $set }
}

function ConvertTo-HostRange {
    # One range as Canonicalize leaves it. What cannot be parsed is thrown, what does not fit together is a refusal.
    param([System.Collections.IDictionary] $Range)

    $subnet = ConvertTo-HostSubnet -Text "$(Get-HostField -Object $Range -Name 'subnet')"
    $named = @{}
    foreach ($name in 'rangeStart', 'rangeEnd', 'gateway') {
        $text = "$(Get-HostField -Object $Range -Name $name)"
        if ($text -eq '') { continue }
        $address = ConvertTo-HostNumber -Text $text
        if ($null -eq $address) { throw "invalid IP address: $text" }
        $named[$name] = $address
    }
    $last = if ($subnet.Bits -eq 32) { $subnet.Last - 1 } else { $subnet.Last }
    $found = @{ Subnet = $subnet; Bits = $subnet.Bits; Gateway = $subnet.First + 1; Start = $subnet.First + 1; End = $last; Refusal = '' }
    if ($named['gateway']) { $found.Gateway = $named['gateway'].Number }
    $text = '{0}/{1}' -f (ConvertFrom-HostNumber -Number $subnet.Number -Bits $subnet.Bits), $subnet.Length
    if ($subnet.Length -gt $subnet.Bits - 2) {
        $found.Refusal = "Network $text too small to allocate from"
    } elseif ($subnet.Number -ne $subnet.First) {
        $network = ConvertFrom-HostNumber -Number $subnet.First -Bits $subnet.Bits
        $found.Refusal = "Network has host bits set. For a subnet mask of length $($subnet.Length) the network address is $network"
    }
    # The start is compared with an end that is named, too.
    $end = if ($named['rangeEnd']) { $named['rangeEnd'].Number } else { $subnet.Last }
    foreach ($name in 'rangeStart', 'rangeEnd') {
        $one = $named[$name]
        if ($null -eq $one -or $found.Refusal) { continue }
        $low = if ($name -eq 'rangeEnd') { $found.Start } else { $subnet.First }
        if ($one.Bits -ne $subnet.Bits -or $one.Number -lt $low -or $one.Number -gt $end -or $one.Number -gt $subnet.Last) {
            $found.Refusal = "R$($name.Substring(1)) $(ConvertFrom-HostNumber -Number $one.Number -Bits $one.Bits) not in network $text"
        }
        if ($name -eq 'rangeStart') { $found.Start = $one.Number } else { $found.End = $one.Number }
    }
    $found
}

function Test-HostRange {
    # Whether a range holds an address.
    param([hashtable] $Range, [hashtable] $Address)

    $null -ne $Address -and $Address.Bits -eq $Range.Bits -and $Address.Number -ge $Range.Start -and $Address.Number -le $Range.End
}
