# host-local: which address is next, and the files that keep them.

function Add-HostAddress {
    # One address of each set. A requested address in no set fails at the end, after others were given.
    param([hashtable] $Call, [object[]] $Set, [string] $Store)

    $open = @($Call.Wishes)
    $given = @(for ($index = 0; $index -lt $Set.Count; $index++) {
            $wish = $open | Where-Object -FilterScript { $one = ConvertTo-HostNumber -Text $_; @($Set[$index] | Where-Object -FilterScript { Test-HostRange -Range $_ -Address $one }).Count -gt 0 } | Select-Object -First 1
            $open = @($open | Where-Object -FilterScript { $_ -ne $wish })
            try {
                Get-HostNextAddress -Call $Call -Set $Set[$index] -Store $Store -Index $index -Wish "$wish"
            } catch {
                if ($index -gt 0) { Clear-HostAddress -Call $Call -Store $Store }
                throw "failed to allocate for range ${index}: $_"
            }
        })
    if ($open.Count -gt 0) {
        Clear-HostAddress -Call $Call -Store $Store
        throw "failed to allocate all requested IPs: $($open -join ' ')"
    }
    $given
}

function Get-HostNextAddress {
    # The requested address, or the next free one after the last one that was given.
    param([hashtable] $Call, [object[]] $Set, [string] $Store, [int] $Index, [string] $Wish)

    $whole = @($Set | ForEach-Object -Process { '{0}-{1}' -f (ConvertFrom-HostNumber -Number $_.Start -Bits $_.Bits), (ConvertFrom-HostNumber -Number $_.End -Bits $_.Bits) }) -join ','
    if ($Wish) {
        $address = ConvertTo-HostNumber -Text $Wish
        $range = @($Set | Where-Object -FilterScript { Test-HostRange -Range $_ -Address $address })[0]
        if ($address.Number -eq $range.Gateway) { throw "requested ip $Wish is subnet's gateway" }
        $text = Save-HostAddress -Call $Call -Store $Store -Number $address.Number -Bits $range.Bits -Index $Index
        if (-not $text) { throw "requested IP address $Wish is not available in range set $whole" }
        return Format-HostAddress -Text $text -Range $range
    }
    foreach ($name in Find-HostAddress -Call $Call -Store $Store) {
        $mine = ConvertTo-HostNumber -Text $name
        $inside = @($Set | Where-Object -FilterScript { Test-HostRange -Range $_ -Address $mine }).Count -gt 0
        if ($inside) { throw "$name has been allocated to $($Call.Id), duplicate allocation is not allowed" }
    }
    $mark = "$Store\last_reserved_ip.$Index"
    # A line break behind it, and it is none.
    $last = if (Test-Path -LiteralPath $mark) { ConvertTo-HostNumber -Text "$(Get-Content -LiteralPath $mark -Raw)" }
    $at = 0
    $number = $null
    for ($one = 0; $one -lt $Set.Count; $one++) { if (Test-HostRange -Range $Set[$one] -Address $last) { $at, $number = $one, $last.Number } }
    $first = $null
    for (; ; ) {
        $range = $Set[$at]
        if ($null -eq $number) {
            $number = $range.Start
        } elseif ($number -eq $range.End) {
            $at = ($at + 1) % $Set.Count
            $range = $Set[$at]
            $number = $range.Start
        } else {
            $number = $number + 1
        }
        if ($number -eq $first) { throw "no IP addresses available in range set: $whole" }
        if ($null -eq $first) { $first = $number }
        if ($number -eq $range.Gateway) { continue }
        $text = Save-HostAddress -Call $Call -Store $Store -Number $number -Bits $range.Bits -Index $Index
        if ($text) { return Format-HostAddress -Text $text -Range $range }
    }
}

function Format-HostAddress {
    # An address and its gateway as a result has them.
    param([string] $Text, [hashtable] $Range)

    @{ address = "$Text/$($Range.Subnet.Length)"; gateway = ConvertFrom-HostNumber -Number $Range.Gateway -Bits $Range.Bits }
}

function Save-HostAddress {
    # Keeps an address, and that it was the last one; nothing if its file exists. Windows has no colon
    # in names.
    param([hashtable] $Call, [string] $Store, [bigint] $Number, [int] $Bits, [int] $Index)

    $text = ConvertFrom-HostNumber -Number $Number -Bits $Bits
    $file = $text.Replace(':', '_')
    if (Test-Path -LiteralPath "$Store\$file") { return }
    $folder = Convert-Path -LiteralPath $Store
    [System.IO.File]::WriteAllText("$folder/$file", "$($Call.Id)`r`n$($Call.Interface)")
    [System.IO.File]::WriteAllText("$folder/last_reserved_ip.$Index", $text)
    $text
}

function Find-HostAddress {
    # Names of the files that are kept for a container's interface, or by an older one for the container.
    param([hashtable] $Call, [string] $Store, [string[]] $Owner = @("$($Call.Id)`r`n$($Call.Interface)", $Call.Id))

    foreach ($file in Get-ChildItem -LiteralPath $Store -File) {
        if ("$(Get-Content -LiteralPath "$Store\$($file.Name)" -Raw)".Trim() -cin $Owner) { $file.Name }
    }
}

function Clear-HostAddress {
    # Gives back what is kept for a container's interface; without such, what is kept for the container alone.
    param([hashtable] $Call, [string] $Store)

    $found = @(Find-HostAddress -Call $Call -Store $Store -Owner "$($Call.Id)`r`n$($Call.Interface)")
    if ($found.Count -eq 0) { $found = @(Find-HostAddress -Call $Call -Store $Store -Owner $Call.Id) }
    foreach ($name in $found) { Microsoft.PowerShell.Management\Remove-Item -LiteralPath "$Store\$name" }
}
