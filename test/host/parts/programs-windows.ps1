# Programs of Windows itself: sc, whoami, netsh, w32tm, powercfg, bcdedit, tar, dism.

Add-HostProgram -Name 'sc' -Body {
    # Codes of the service control manager: 1060 does not exist, 1072 marked for deletion.
    param($Call)
    $verb, $name, $rest = $Call.Argument
    $rest = @($rest)
    Add-HostCall -Text "sc $verb $name"
    if ($name -notin @(Get-HostServiceName)) {
        $Call.Code = 1060
        $Call.Out += '[SC] OpenService FAILED 1060:', '', 'The specified service does not exist as an installed service.'
        return
    }
    if (1 -eq (Get-HostServiceValue -Name $name -Value 'DeleteFlag')) {
        $Call.Code = 1072
        $Call.Out += "[SC] $verb FAILED 1072:", '', 'The specified service has been marked for deletion.'
        return
    }
    if ($verb -eq 'failureflag') {
        Set-HostServiceValue -Name $name -Value 'FailureActionsOnNonCrashFailures' -Kind DWord -Data ([int]$rest[0])
    } elseif ($verb -eq 'failure') {
        if ($rest[0] -ne 'reset=' -or $rest[2] -ne 'actions=') { $Call.Code = 1639; return }
        $words = $rest[3].Split('/')
        $bytes = [System.Collections.Generic.List[byte]]::new()
        foreach ($number in [int]$rest[1], 0, 0, ($words.Count / 2), 20) { $bytes.AddRange([System.BitConverter]::GetBytes([int]$number)) }
        for ($index = 0; $index -lt $words.Count; $index += 2) {
            $kind = @{ restart = 1; reboot = 2; run = 3 }[$words[$index]]
            $bytes.AddRange([System.BitConverter]::GetBytes([int]$kind))
            $bytes.AddRange([System.BitConverter]::GetBytes([int]$words[$index + 1]))
        }
        Set-HostServiceValue -Name $name -Value 'FailureActions' -Kind Binary -Data $bytes.ToArray()
    } elseif ($verb -eq 'triggerinfo') {
        $key = "$script:ServiceKey\$name\TriggerInfo"
        foreach ($index in 0, 1) { [WinNodeHost.Registry]::Remove("$key\$index") }
        for ($index = 0; $index -lt $rest.Count -and $rest[0] -ne 'delete'; $index++) {
            $action = @{ 'start/domainjoin' = 1; 'stop/domainleave' = 2 }[$rest[$index]]
            if ($null -eq $action) { $Call.Code = 1639; return }
            [WinNodeHost.Registry]::Set("$key\$index", 'Type', 'DWord', 3)
            [WinNodeHost.Registry]::Set("$key\$index", 'Action', 'DWord', $action)
        }
    } elseif ($verb -eq 'delete') {
        # While it runs, or has open handles, it is only marked.
        if ($script:Machine.Running.ContainsKey($name) -or $script:Machine.Handles.ContainsKey($name)) {
            Set-HostServiceValue -Name $name -Value 'DeleteFlag' -Kind DWord -Data 1
        } else {
            Remove-HostService -Name $name
        }
    }
    $Call.Out += "[SC] $verb SUCCESS"
}

Add-HostProgram -Name 'whoami' -Body {
    # The integrity level is one of the groups. https://learn.microsoft.com/windows-server/administration/windows-commands/whoami
    param($Call)
    $user = if ($script:Machine.Runs) { $script:Machine.Runs } else { $script:Machine.User }
    if ($Call.Argument[0] -eq '/user') {
        $Call.Out += "`"node-a\somebody`",`"$user`""
        return
    }
    $level = if (-not $script:Machine.Administrator) {
        'Medium Mandatory Level","Label","S-1-16-8192"'
    } elseif ($user -eq 'S-1-5-18') { 'System Mandatory Level","Label","S-1-16-16384"' } else { 'High Mandatory Level","Label","S-1-16-12288"' }
    $Call.Out += '"Everyone","Well-known group","S-1-1-0","Mandatory group, Enabled by default, Enabled group"'
    $Call.Out += "`"Mandatory Label\$level,`"`""
}

# Entry scripts call it before the module is loaded. By its bare name it may be Git's.
Set-Item -Path 'function:global:C:\Windows\System32\whoami.exe' -Value {
    (Invoke-HostProgram -Name 'whoami' -Argument $args).Out
}

# The script of a first run has no module.
Set-Item -Path 'function:global:C:\Windows\System32\netsh.exe' -Value { (Invoke-HostProgram -Name 'netsh' -Argument $args).Out }
Set-Item -Path 'function:global:C:\k\crictl.exe' -Value { (Invoke-HostProgram -Name 'crictl' -Argument $args).Out }

Add-HostProgram -Name 'netsh' -Body {
    # As it prints in English. https://learn.microsoft.com/troubleshoot/windows-server/networking/reserve-range-ephemeral-ports
    param($Call)
    $words = "$($Call.Argument)"
    $change = '^interface ipv4 (set dynamic|add excluded|delete excluded)portrange protocol=(tcp|udp) startport=(\d+) numberofports=(\d+) store=persistent$'
    if ($words -match '^interface ipv4 show excludedportrange protocol=(tcp|udp)$') {
        $protocol = $Matches[1]
        $Call.Out += '', "Protocol $protocol Port Exclusion Ranges", '', 'Start Port    End Port      ', '----------    --------      '
        $found = @($script:Machine.ExcludedPorts | Where-Object -FilterScript { $_.Protocol -eq $protocol } | Sort-Object -Property { $_.From })
        $Call.Out += @($found | ForEach-Object -Process { '{0,10}  {1,10}     {2}' -f $_.From, $_.To, $_.Mark })
        $Call.Out += '', '* - Administered port exclusions.', ''
    } elseif ($words -match '^interface ipv4 show dynamicport (tcp|udp)$') {
        $start, $count = $script:Machine.DynamicPorts[$Matches[1]]
        $Call.Out += '', "Protocol $($Matches[1]) Dynamic Port Range", '---------------------------------', "Start Port      : $start", "Number of Ports : $count", ''
    } elseif ($words -match $change) {
        Add-HostCall -Text "netsh $words"
        $verb, $protocol, $from, $count = $Matches[1], $Matches[2], [int]$Matches[3], [int]$Matches[4]
        $refused = Edit-HostPortRange -Verb $verb -Protocol $protocol -From $from -Count $count
        $Call.Out += if ($refused) { $refused } else { 'Ok.' }
        $Call.Code = [int][bool]$refused
    } elseif ($words -match '^trace (start|stop)\b') {
        Add-HostCall -Text "netsh trace $($Matches[1])"
        $refused = if ($Matches[1] -eq 'start') { Start-HostTrace -Word @($Call.Argument | Select-Object -Skip 2) } else { Stop-HostTrace }
        if ($refused) { $Call.Out += $refused }
        $Call.Code = [int][bool]$refused
    } elseif ($words -eq 'winhttp show proxy') {
        $Call.Out += '', 'Current WinHTTP proxy settings:', '', '    Direct access (no proxy server).', ''
    } else {
        $Call.Out += "The following command was not found: $words."
        $Call.Code = 1
    }
}

function Edit-HostPortRange {
    # Changes a range, or returns why Windows does not: a range that a program uses or that netsh did not add.
    # https://learn.microsoft.com/troubleshoot/windows-server/networking/default-dynamic-port-range-tcpip-chang
    param([string] $Verb, [string] $Protocol, [int] $From, [int] $Count)

    $to = $From + $Count - 1
    $all = $script:Machine.ExcludedPorts
    if ($Verb -eq 'set dynamic') {
        if ($From -lt 1025 -or $Count -lt 255 -or $to -gt 65535) { return 'The parameter is incorrect.' }
        $script:Machine.DynamicPorts[$Protocol] = @($From, $Count)
    } elseif ($Verb -eq 'add excluded') {
        $used = @(Get-NetTCPConnection | Where-Object -FilterScript { $Protocol -eq 'tcp' -and $_.LocalPort -ge $From -and $_.LocalPort -le $to })
        $held = @($all | Where-Object -FilterScript { $_.Protocol -eq $Protocol -and $_.From -le $to -and $_.To -ge $From })
        if ($used.Count + $held.Count -gt 0) { return 'The process cannot access the file because it is being used by another process.' }
        $script:Machine.ExcludedPorts = @($all) + @{ Protocol = $Protocol; From = $From; To = $to; Mark = '*' }
    } else {
        $kept = @($all | Where-Object -FilterScript { $_.Protocol -ne $Protocol -or $_.From -ne $From -or $_.To -ne $to -or $_.Mark -ne '*' })
        if ($kept.Count -eq $all.Count) { return 'The system cannot find the file specified.' }
        $script:Machine.ExcludedPorts = $kept
    }
}

# What each word of netsh trace start may be; keywords and level belong to the provider before them.
# https://learn.microsoft.com/windows-server/administration/windows-commands/netsh-trace
$script:TraceWord = @{
    tracefile = '^[A-Za-z]:\\.+\.etl$'; maxsize = '^\d+$'; filemode = '^(single|circular|append)$'; overwrite = '^(yes|no)$'; persistent = '^(yes|no)$'
    capture = '^(yes|no)$'; report = '^(yes|no|disabled)$'; globallevel = '^\d+$'; provider = '^\{[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}$'; keywords = '^0x[0-9A-Fa-f]+$'; level = '^\d+$'
}

function Start-HostTrace {
    # Starts the only session, or returns why not.
    param([string[]] $Word)

    $file, $over, $before = '', 'yes', ''
    foreach ($one in $Word) {
        $name, $value = $one -split '=', 2
        $known = $script:TraceWord.ContainsKey($name) -and "$value" -match $script:TraceWord[$name]
        if (-not $known -or ($name -in 'keywords', 'level' -and $before -notin 'provider', 'keywords', 'level')) { return "'$one' is not a valid argument for this command." }
        $before = $name
        switch ($name) { 'tracefile' { $file = $value } 'overwrite' { $over = $value } }
    }
    if ($script:Machine['Trace']) { return 'A tracing session is already in progress. Use "netsh trace stop" first.' }
    $folder = $file -replace '\\[^\\]*$'
    if ($file -eq '' -or -not (Test-Path -LiteralPath $folder)) { return 'The system cannot find the path specified.' }
    if ($over -eq 'no' -and (Test-Path -LiteralPath $file)) { return 'Cannot create a file when that file already exists.' }
    $script:Machine['Trace'] = @{ File = $file; Since = $script:Machine.Seconds }
}

function Stop-HostTrace {
    # Writes the file of the session, or returns why not.
    $trace = $script:Machine['Trace']
    if (-not $trace) { return 'There is no trace session currently in progress.' }
    Set-Content -LiteralPath $trace.File -Value "trace of $($script:Machine.Seconds - $trace.Since) s"
    $script:Machine['Trace'] = $null
}

Add-HostProgram -Name 'w32tm' -Body {
    # Asks the time service, which must run.
    param($Call)
    if ("$($Call.Argument)" -notmatch '^/query /(status|peers)$') { throw "The command line parameter is unexpected: $($Call.Argument)" }
    if (-not $script:Machine.Running.ContainsKey('W32Time')) {
        $Call.Out += 'The following error occurred: The service has not been started. (0x80070426)'
        $Call.Code = -2147023834
        return
    }
    $Call.Out += if ($Call.Argument[1] -eq '/status') { 'Leap Indicator: 0(no warning)', 'Stratum: 4 (secondary reference - syncd by (S)NTP)', "Source: $($script:Machine.TimeSource)" } else { '#Peers: 1', '', 'Peer: time.windows.com,0x8', 'State: Active' }
}

Add-HostProgram -Name 'powercfg' -Body {
    param($Call)
    if ($Call.Argument[0] -ne '/setactive') { throw 'Invalid Parameters -- try "/?" for help' }
    Add-HostCall -Text "powercfg $($Call.Argument)"
    [WinNodeHost.Registry]::Set('SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes', 'ActivePowerScheme', 'String', $Call.Argument[1])
}

Add-HostProgram -Name 'bcdedit' -Body {
    # Elements of the default entry: https://learn.microsoft.com/previous-versions/windows/desktop/bcd/bcdlibraryelementtypes
    param($Call)
    $verb, $entry, $name, $value = $Call.Argument
    $element = @{ testsigning = '16000049'; nointegritychecks = '16000048' }[$name]
    if ($verb -notin '/set', '/deletevalue' -or $null -eq $element) { throw 'The parameter is incorrect.' }
    Add-HostCall -Text "bcdedit $($Call.Argument)"
    if ($verb -eq '/deletevalue') {
        $key = "BCD00000000\Objects\$entry\Elements\$element"
        if (-not [WinNodeHost.Registry]::Exists($key)) { throw 'An error occurred while attempting to delete the specified data element. Element not found.' }
        [WinNodeHost.Registry]::Remove($key)
        return
    }
    $on = if ($value -in 'on', 'yes', 'true') { 1 } else { 0 }
    [WinNodeHost.Registry]::Set("BCD00000000\Objects\$entry\Elements\$element", 'Element', 'Binary', [byte[]]@($on))
    $Call.Out += 'The operation completed successfully.'
}

Add-HostProgram -Name 'tar' -Body {
    # bsdtar of Windows: gzip and zip by themselves, -t, -x, and -a -c for a zip. https://learn.microsoft.com/virtualization/community/team-blog/2017/20171219-tar-and-curl-come-to-windows
    param($Call)
    $words = $Call.Argument
    if ($words[0] -eq '-a') {
        $folder = $words[5]
        # An existing file is emptied, and keeps its access list: O_TRUNC.
        # https://github.com/libarchive/libarchive/blob/master/libarchive/archive_write_open_filename.c
        $file = [System.IO.File]::Open($words[3], 'Create')
        $zip = [System.IO.Compression.ZipArchive]::new($file, 'Create')
        try { $null = [System.IO.Compression.ZipFileExtensions]::CreateEntryFromFile($zip, "$folder/$($words[6])", $words[6]) } finally { $zip.Dispose() }
        return
    }
    $entries = Read-HostArchive -Path $words[1]
    if ($words[0] -eq '-tf') { $Call.Out += @($entries | ForEach-Object -Process { $_.Name }); return }
    foreach ($name in @($words | Select-Object -Skip 4)) {
        $entry = @($entries | Where-Object -FilterScript { $_.Name -ceq $name })
        if ($entry.Count -eq 0) { throw "tar.exe: ${name}: Not found in archive" }
        $target = [System.IO.Path]::GetFullPath((Join-Path -Path $words[3] -ChildPath $name))
        $null = [System.IO.Directory]::CreateDirectory([System.IO.Path]::GetDirectoryName($target))
        Assert-HostHealth -On 'tar write'
        if ($entry[0]['Link']) { $null = [System.IO.File]::CreateSymbolicLink($target, $entry[0].Link); continue }
        [System.IO.File]::WriteAllBytes($target, $entry[0].Bytes)
    }
}

function Read-HostArchive {
    # Entries of a zip or of a tar under gzip, with their bytes.
    param([string] $Path)

    $stream = [System.IO.File]::OpenRead($Path)
    try {
        if ([System.IO.Path]::GetExtension($Path) -eq '.zip') {
            $zip = [System.IO.Compression.ZipArchive]::new($stream)
            foreach ($entry in $zip.Entries) { Read-HostEntry -Name $entry.FullName -Stream $entry.Open() }
            return
        }
        $gzip = [System.IO.Compression.GZipStream]::new($stream, [System.IO.Compression.CompressionMode]::Decompress)
        $reader = [System.Formats.Tar.TarReader]::new($gzip)
        for ($entry = $reader.GetNextEntry(); $null -ne $entry; $entry = $reader.GetNextEntry()) {
            if ($null -ne $entry.DataStream) { Read-HostEntry -Name $entry.Name -Stream $entry.DataStream } else { @{ Name = $entry.Name; Bytes = [byte[]]@(); Link = $entry.LinkName } }
        }
    } catch {
        throw "tar.exe: Error opening archive: $($_.Exception.Message)"
    } finally {
        $stream.Dispose()
    }
}

function Read-HostEntry {
    param([string] $Name, [System.IO.Stream] $Stream)

    $memory = [System.IO.MemoryStream]::new()
    $Stream.CopyTo($memory)
    @{ Name = $Name; Bytes = $memory.ToArray() }
}

Add-HostProgram -Name 'dism' -Body {
    # Asks no processor; what it changes counts after a restart.
    param($Call)
    $words = "$($Call.Argument)"
    $part = [regex]::Match($words, '/featurename:(\S+)').Groups[1].Value
    if ($words -notmatch '^/online /(enable|disable)-feature ' -or $words -notmatch '/NoRestart' -or -not $script:Machine.Parts.ContainsKey($part)) {
        $Call.Code = 87
        return
    }
    $on = $words -match '^/online /enable'
    $script:Machine.Parts[$part] = if ($on) { 'EnablePending' } else { 'DisablePending' }
    if ($on -and $words -match ' /all') { $script:Machine.Parts['Microsoft-Hyper-V-Online'] = 'EnablePending' }
    $null = [WinNodeHost.Registry]::Create('SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending')
    $Call.Code = 3010
}
