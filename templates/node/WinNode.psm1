<#
    .SYNOPSIS
        Brings a Windows Server machine to the state that node.json describes, and says whether it still is.

    .DESCRIPTION
        Each step of node.json has a kind, and each kind a pair of functions: Test- answers yes or no and
        changes nothing, Set- changes. Backup- notes what was there before the first change, Restore- puts it
        back. One walker does every step: test; where it differs, set; test again; else fail.

        The order of this file: tables, JSON, programs and files, log and memory, node facts, downloads,
        services, step kinds, preflight checks, the walker, the report, and the five commands.
#>
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

#region Tables

# Kind of a step: the noun of its functions, the property that a person knows it by, and what Reset does.
# Kinds of files share the Backup- and Restore- of a Memory.
# restore: puts back what Backup noted; nothing noted means nothing was changed. always: takes it away, as
# it was made by a program that we started. keep: leaves it, or another step takes it away.
$script:StepKind = @{
    windowsFeature     = @{ Noun = 'NodeWindowsFeature'; Subject = 'name'; Reset = 'restore' }
    directory          = @{ Noun = 'NodeDirectory'; Subject = 'path'; Reset = 'restore' }
    file               = @{ Noun = 'NodeFile'; Subject = 'path'; Reset = 'restore' }
    derivedFile        = @{ Noun = 'NodeDerivedFile'; Subject = 'path'; Memory = 'NodeFile'; Reset = 'restore' }
    download           = @{ Noun = 'NodeDownload'; Subject = 'path'; Memory = 'NodeFile'; Reset = 'restore' }
    archive            = @{ Noun = 'NodeArchive'; Subject = 'url'; Reset = 'restore' }
    registryValue      = @{ Noun = 'NodeRegistryValue'; Subject = 'name'; Reset = 'restore' }
    pathEntry          = @{ Noun = 'NodePathEntry'; Subject = 'path'; Reset = 'restore' }
    service            = @{ Noun = 'NodeService'; Subject = 'name'; Reset = 'restore' }
    serviceRunning     = @{ Noun = 'NodeServiceRunning'; Subject = 'name'; Reset = 'keep' }
    serviceStart       = @{ Noun = 'NodeServiceStart'; Subject = 'name'; Reset = 'restore' }
    firewallRule       = @{ Noun = 'NodeFirewallRule'; Subject = 'name'; Reset = 'restore' }
    defenderExclusion  = @{ Noun = 'NodeDefenderExclusion'; Subject = 'process'; Reset = 'restore' }
    pageFile           = @{ Noun = 'NodePageFile'; Subject = 'path'; Reset = 'restore' }
    powerPlan          = @{ Noun = 'NodePowerPlan'; Subject = 'guid'; Reset = 'restore' }
    timeService        = @{ Noun = 'NodeTimeService'; Subject = 'servers'; Reset = 'restore' }
    bootSetting        = @{ Noun = 'NodeBootSetting'; Subject = 'name'; Reset = 'restore' }
    bootTask           = @{ Noun = 'NodeBootTask'; Subject = 'name'; Reset = 'restore' }
    logRotation        = @{ Noun = 'NodeLogRotation'; Subject = 'path'; Reset = 'keep' }
    hnsNetwork         = @{ Noun = 'NodeHnsNetwork'; Subject = 'name'; Reset = 'always' }
    addressReservation = @{ Noun = 'NodeAddressReservation'; Subject = 'network'; Reset = 'always' }
    hostEndpoint       = @{ Noun = 'NodeHostEndpoint'; Subject = 'network'; Reset = 'always' }
    imagePull          = @{ Noun = 'NodeImagePull'; Subject = 'image'; Reset = 'keep' }
    kubeadmJoin        = @{ Noun = 'NodeKubeadmJoin'; Subject = 'kubeconfig'; Reset = 'always' }
    bootstrapJoin      = @{ Noun = 'NodeBootstrapJoin'; Subject = 'kubeconfig'; Reset = 'always' }
}

# Kind of a preflight check: the function that answers it.
$script:PreflightKind = @{
    administrator      = 'Test-NodeAdministrator'
    languageMode       = 'Test-NodeLanguageMode'
    windowsServer      = 'Test-NodeWindowsServer'
    windowsBuild       = 'Test-NodeWindowsBuild'
    revisionNotBetween = 'Test-NodeRevisionNotBetween'
    revisionAtLeast    = 'Test-NodeRevisionAtLeast'
    freeDisk           = 'Test-NodeFreeDisk'
    systemDrive        = 'Test-NodeSystemDrive'
    nodeName           = 'Test-NodeName'
    pendingRestart     = 'Test-NodePendingRestart'
    pendingRename      = 'Test-NodePendingRename'
    clockSkew          = 'Test-NodeClockSkew'
    dns                = 'Test-NodeApiServerName'
    apiServer          = 'Test-NodeApiServer'
    filePresent        = 'Test-NodeFilePresent'
    secureBootOff      = 'Test-NodeSecureBootOff'
    otherEngines       = 'Test-NodeOtherEngine'
}

# Names of boot settings and their elements in the store; all of them are on or off.
# https://learn.microsoft.com/previous-versions/windows/desktop/bcd/bcdlibraryelementtypes
$script:BootElement = @{ testsigning = '16000049'; nointegritychecks = '16000048' }

# By SID, because names of groups are translated: only SYSTEM and Administrators, nothing inherited.
$script:ProtectedFolder = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'
$script:ProtectedFile = 'D:P(A;;FA;;;SY)(A;;FA;;;BA)'

$script:Limit = @{
    Attempts       = 5
    ConnectSeconds = 30
    ReadSeconds    = 60
    Redirects      = 5
    ServiceSeconds = 60
    LogBytes       = 10MB
    ReportLines    = 500
}

$script:Services = 'HKLM:\SYSTEM\CurrentControlSet\Services'
$script:SessionManager = 'HKLM:\SYSTEM\CurrentControlSet\Control\Session Manager'
$script:WindowsVersion = 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion'
$script:RuntimeEndpoint = 'npipe:////./pipe/containerd-containerd'

# What the present run knows: its bundle, node.json, memory, secrets, log and results. Open-NodeRun fills it.
$script:Run = $null

#endregion
#region JSON

# A token of JSON, with the white space before it.
$script:JsonToken = New-Object -TypeName System.Text.RegularExpressions.Regex -ArgumentList (
    '\G[ \t\r\n]*([{}\[\]:,]' +
    '|"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"' +
    '|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?' +
    '|true|false|null)'
)

# What a token means where it stands; a pair that is not here is an error. 'a' is any number or word.
$script:JsonGrammar = @{
    'value {'      = 'open'; 'value ['      = 'open'; 'value "' = 'text'; 'value a' = 'word'
    'firstValue {' = 'open'; 'firstValue [' = 'open'; 'firstValue "' = 'text'; 'firstValue a' = 'word'
    'firstValue ]' = 'close'; 'inList ]'    = 'close'; 'inList ,' = 'comma'
    'firstKey }'   = 'close'; 'inMap }'     = 'close'; 'inMap ,' = 'comma'
    'firstKey "'   = 'key'; 'key "'         = 'key'; 'colon :' = 'colon'
}

function ConvertFrom-NodeJson {
    # Reads JSON exactly, maps as ordered and case-sensitive dictionaries. ConvertFrom-Json does not: 7 makes
    # dates of texts that look like one, 5.1 of \/Date(0)\/, and neither takes keys that differ in case only.
    # https://github.com/PowerShell/PowerShell/issues/13598
    # One loop, because a call for each token would take seconds.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $open = New-Object -TypeName System.Collections.Stack
    $keys = New-Object -TypeName System.Collections.Stack
    $root = $null
    $key = $null
    $expect = 'value'
    $end = 0
    for ($token = $script:JsonToken.Match($Text); $token.Success; $token = $token.NextMatch()) {
        $end = $token.Index + $token.Length
        $part = $token.Groups[1].Value
        $mark = if ('{}[]:,"'.IndexOf($part[0]) -ge 0) { $part[0] } else { 'a' }
        $shape = $script:JsonGrammar["$expect $mark"]
        if ($shape -eq 'comma') {
            $expect = if ($expect -eq 'inMap') { 'key' } else { 'value' }
            continue
        } elseif ($shape -eq 'colon') {
            $expect = 'value'
            continue
        } elseif ($shape -eq 'open') {
            $keys.Push($key)
            if ($mark -eq '{') {
                $open.Push([System.Collections.Specialized.OrderedDictionary]::new())
                $expect = 'firstKey'
            } else {
                $open.Push([System.Collections.ArrayList]::new())
                $expect = 'firstValue'
            }
            continue
        } elseif ($shape -eq 'close') {
            $value = $open.Pop()
            $key = $keys.Pop()
            if ($mark -eq ']') { $value = $value.ToArray() }
        } elseif ($shape -eq 'word') {
            $value = ConvertFrom-NodeJsonWord -Text $part
        } elseif ($null -eq $shape) {
            throw "the JSON is wrong before character $end"
        } else {
            $value = $part.Substring(1, $part.Length - 2)
            if ($value.IndexOf('\') -ge 0) { $value = ConvertFrom-NodeJsonText -Text $value }
            if ($shape -eq 'key') {
                $key = $value
                $expect = 'colon'
                continue
            }
        }
        if ($open.Count -eq 0) {
            $root = $value
            $expect = 'nothing'
        } elseif ($open.Peek() -is [System.Collections.ArrayList]) {
            $null = $open.Peek().Add($value)
            $expect = 'inList'
        } else {
            # Add throws where the key is there already.
            $open.Peek().Add($key, $value)
            $expect = 'inMap'
        }
    }
    if ($expect -ne 'nothing' -or $Text.Substring($end).Trim(" `t`r`n") -ne '') {
        throw "the JSON is wrong after character $end"
    }
    , $root
}

function ConvertFrom-NodeJsonWord {
    # The value of a number, true, false or null.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $Text)

    if ($Text -ceq 'null') { return $null }
    if ($Text -ceq 'true' -or $Text -ceq 'false') { return $Text -ceq 'true' }
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    if ($Text -match '^-?[0-9]{1,18}$') { return [long]::Parse($Text, $invariant) }
    # A decimal keeps the digits as they are written; only an exponent or a great length needs more.
    if ($Text -match '^-?[0-9]{1,14}\.[0-9]{1,14}$') { return [decimal]::Parse($Text, $invariant) }
    [double]::Parse($Text, $invariant)
}

function ConvertFrom-NodeJsonText {
    # The text between the quotes, without its escapes.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    if ($Text.IndexOf('\') -lt 0) { return $Text }
    # Windows paths hold no other escape than the backslash itself. U+0000 cannot stand in the text.
    $parted = $Text.Replace('\\', "`0")
    if ($parted.IndexOf('\') -lt 0) { return $parted.Replace("`0", '\') }
    [regex]::Replace($Text, '\\(?:u(?<hex>[0-9a-fA-F]{4})|(?<mark>.))', {
            param($Match)
            if ($Match.Groups['hex'].Success) {
                return [string][char][System.Convert]::ToInt32($Match.Groups['hex'].Value, 16)
            }
            switch -CaseSensitive ($Match.Groups['mark'].Value) {
                'b' { [string][char]8 }
                'f' { [string][char]12 }
                'n' { "`n" }
                'r' { "`r" }
                't' { "`t" }
                default { $_ }
            }
        })
}

function ConvertTo-NodeJson {
    <#
        .SYNOPSIS
            Writes a value as JSON: the same text on every edition of PowerShell, and ASCII only.

        .DESCRIPTION
            ConvertTo-Json indents and escapes differently in 5.1 and 7; a file written by one must be equal
            when the other compares it. ASCII survives every code page of a console.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyString()] [object] $InputObject)

    $builder = New-Object -TypeName System.Text.StringBuilder
    Add-NodeJson -Builder $builder -Value $InputObject -Indent ''
    $builder.ToString()
}

function Add-NodeJson {
    # Appends one value, and what is below it. Texts are written here, because a call for each would take
    # seconds.
    [CmdletBinding()]
    [OutputType([void])]
    param([System.Text.StringBuilder] $Builder, [object] $Value, [string] $Indent)

    if ($Value -is [string]) {
        $text = $Value.Replace('\', '\\').Replace('"', '\"')
        if ($script:JsonUnsafe.IsMatch($text)) { $text = ConvertTo-NodeJsonText -Text $text }
        $null = $Builder.Append('"').Append($text).Append('"')
        return
    }
    $isMap = $Value -is [System.Collections.IDictionary]
    if (-not $isMap -and $Value -isnot [System.Collections.IList]) {
        $null = $Builder.Append((ConvertTo-NodeJsonWord -Value $Value))
        return
    }
    $inner = "$Indent  "
    $separator = ''
    $null = $Builder.Append($(if ($isMap) { '{' } else { '[' }))
    # GetEnumerator, because a key may be called Keys or Count.
    foreach ($item in $Value.GetEnumerator()) {
        $null = $Builder.Append($separator).Append("`n").Append($inner)
        $separator = ','
        $child = $item
        if ($isMap) {
            Add-NodeJson -Builder $Builder -Value ([string]$item.Key)
            $null = $Builder.Append(': ')
            $child = $item.Value
        }
        Add-NodeJson -Builder $Builder -Value $child -Indent $inner
    }
    if ($separator -ne '') { $null = $Builder.Append("`n").Append($Indent) }
    $null = $Builder.Append($(if ($isMap) { '}' } else { ']' }))
}

# What JSON cannot hold as it is, or a console might not.
$script:JsonUnsafe = New-Object -TypeName System.Text.RegularExpressions.Regex -ArgumentList '[^\x20-\x7e]'

function ConvertTo-NodeJsonText {
    # A text in ASCII: every other character as its number.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Text)

    $script:JsonUnsafe.Replace($Text, { param($Match) '\u{0:x4}' -f [int][char]$Match.Value })
}

function ConvertTo-NodeJsonWord {
    # A number, a truth value or nothing as JSON.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [object] $Value)

    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    if ($null -eq $Value) { return 'null' }
    if ($Value -is [bool]) { return $Value.ToString().ToLowerInvariant() }
    if ($Value -is [double]) { return $Value.ToString('R', $invariant) }
    if ($Value -is [decimal] -or $Value -is [long] -or $Value -is [int]) { return $Value.ToString($invariant) }
    throw "JSON has no place for a $($Value.GetType().FullName)"
}

function Edit-NodeJson {
    # Sets the value at a JSON pointer (RFC 6901); all but its last part must be there.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [object] $Document,
        [Parameter(Mandatory = $true)] [ValidatePattern('^/')] [string] $Pointer,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Value
    )

    $parts = @($Pointer.Substring(1).Split('/') | ForEach-Object -Process {
            $_.Replace('~1', '/').Replace('~0', '~')
        })
    $target = $Document
    for ($index = 0; $index -lt $parts.Count - 1; $index++) {
        $isList = $target -is [System.Collections.IList]
        $target = if ($isList) { $target[[int]$parts[$index]] } else { $target[$parts[$index]] }
        if ($null -eq $target) { throw "the document has nothing at $Pointer" }
    }
    $last = $parts[-1]
    if ($target -is [System.Collections.IList]) { $target[[int]$last] = $Value } else { $target[$last] = $Value }
}

function ConvertTo-NodeMap {
    # Makes a dictionary of a list of {name, value}; node.json has no maps with free keys.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyCollection()] [object[]] $Pair)

    $map = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    foreach ($item in $Pair) { if ($null -ne $item) { $map[[string]$item['name']] = $item['value'] } }
    $map
}

#endregion
#region Programs and files

function Invoke-Native {
    # Runs a program: arguments as a list, exit code checked, standard output returned line by line.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter()] [string[]] $ArgumentList = @(),
        [Parameter()] [int[]] $SuccessCode = @(0),
        [Parameter()] [string] $InputText
    )

    # 5.1 loses both on the way to the program: https://github.com/PowerShell/PowerShell/issues/1995
    if ($ArgumentList -contains '' -or "$ArgumentList".Contains('"')) {
        throw "an argument of $FilePath is empty or holds a quote"
    }
    # Resolve first: once the preference is relaxed, a missing program would not stop us.
    $program = Resolve-NodeProgram -FilePath $FilePath

    # 5.1 makes errors of redirected stderr lines, and with 'Stop' the first one would end the run:
    # https://github.com/PowerShell/PowerShell/issues/3996
    $ErrorActionPreference = 'Continue'
    $lines = @(if ($InputText) { $InputText | & $program @ArgumentList 2>&1 } else {
            & $program @ArgumentList 2>&1
        })
    $code = $LASTEXITCODE
    if ($SuccessCode -notcontains $code) {
        throw ('{0} ended with code {1}: {2}' -f $FilePath, $code, ($lines -join ' '))
    }
    # What a program says on stderr is talk, even where it succeeds.
    $lines | Where-Object -FilterScript { $_ -isnot [System.Management.Automation.ErrorRecord] } |
        ForEach-Object -Process { "$_" }
}

function Resolve-NodeProgram {
    # The file of a program. A bare name means Windows' own: PATH may hold another tar.exe before it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $FilePath)

    if ($FilePath -match '[\\/]') {
        if (-not (Test-Path -LiteralPath $FilePath)) { throw "there is no program $FilePath" }
        return Resolve-NodePath -LiteralPath $FilePath
    }
    $system = [Environment]::GetFolderPath('System')
    if ($system) {
        $path = Join-Path -Path $system -ChildPath $FilePath
        if (Test-Path -LiteralPath $path) { return $path }
    }
    @(Get-Command -Name $FilePath -CommandType Application -ErrorAction Stop)[0].Source
}

function Resolve-NodePath {
    # The path that .NET understands. .NET knows neither PowerShell's drives nor its location.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($LiteralPath)
}

function Get-NodeParent {
    # The folder of a path on the node, by its text: Split-Path writes it in the style of the host.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $cut = $LiteralPath.LastIndexOfAny([char[]]'\/')
    if ($cut -le 0) { return '' }
    $parent = $LiteralPath.Substring(0, $cut)
    if ($parent.EndsWith(':')) { return "$parent\" }
    $parent
}

function Get-NodeDigest {
    # SHA-256 of a file in lower case, or an empty text where there is no file.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath -PathType Leaf)) { return '' }
    (Get-FileHash -LiteralPath $LiteralPath -Algorithm SHA256).Hash.ToLowerInvariant()
}

function Get-NodeTextDigest {
    # SHA-256 of a text as UTF-8, in lower case.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $bytes = (New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false).GetBytes($Text)
    $stream = New-Object -TypeName System.IO.MemoryStream -ArgumentList (, $bytes)
    (Get-FileHash -InputStream $stream -Algorithm SHA256).Hash.ToLowerInvariant()
}

function Read-NodeText {
    # The text of a file, as UTF-8 and without its byte order mark.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    [System.IO.File]::ReadAllText((Resolve-NodePath -LiteralPath $LiteralPath))
}

function Write-NodeText {
    # Replaces a file as a whole: UTF-8 without a byte order mark, on the disk before it gets its name.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text
    )

    $fresh = "$LiteralPath.winnode-new"
    $bytes = (New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false).GetBytes($Text)
    $stream = [System.IO.File]::Create((Resolve-NodePath -LiteralPath $fresh))
    try {
        $stream.Write($bytes, 0, $bytes.Length)
        $stream.Flush($true)
    } finally {
        $stream.Dispose()
    }
    Move-NodeFile -LiteralPath $fresh -Destination $LiteralPath
}

function Move-NodeFile {
    # Gives a finished file its name. An old one is renamed first, as Windows does not overwrite a program
    # that runs; it goes when nobody uses it any more.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination
    )

    $source = Resolve-NodePath -LiteralPath $LiteralPath
    $target = Resolve-NodePath -LiteralPath $Destination
    if ([System.IO.File]::Exists($target)) {
        $old = "$target.winnode-old"
        Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
        # One call, so that a reader finds either the old file or the new one.
        [System.IO.File]::Replace($source, $target, $old, $true)
        Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
    } else {
        [System.IO.File]::Move($source, $target)
    }
}

function Install-NodeFile {
    # Puts a finished file in place. Services that use the old one stop now and start when the run ends.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination
    )

    if (Test-Path -LiteralPath $Destination) {
        Suspend-NodeService -Name @(Get-NodeServiceUsing -LiteralPath $Destination)
    }
    Move-NodeFile -LiteralPath $LiteralPath -Destination $Destination
}

function Initialize-NodeFolder {
    # Makes a folder where it is missing.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $LiteralPath)

    if ($LiteralPath -ne '' -and -not (Test-Path -LiteralPath $LiteralPath)) {
        $null = [System.IO.Directory]::CreateDirectory((Resolve-NodePath -LiteralPath $LiteralPath))
    }
}

function Clear-NodePath {
    # Takes a file or a folder away, if it is there.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $LiteralPath)

    if ($LiteralPath -ne '' -and (Test-Path -LiteralPath $LiteralPath)) {
        Remove-Item -LiteralPath $LiteralPath -Recurse -Force
    }
}

function Resolve-NodeSource {
    # The path of a bundle's file, after a look whether it still is the one that was rendered.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Source,
        [Parameter(Mandatory = $true)] [string] $Sha256
    )

    $path = Join-Path -Path $script:Run.Bundle -ChildPath $Source
    $found = Get-NodeDigest -LiteralPath $path
    if ($found -eq '') { throw "the bundle lacks $Source" }
    if ($found -cne $Sha256) { throw "$Source of the bundle was changed: sha256 $found, expected $Sha256" }
    $path
}

function Get-NodeAccess {
    # The access list of a path as comparable text, or an empty text where the path is missing.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { return '' }
    ConvertTo-NodeAccess -Sddl (Get-Acl -LiteralPath $LiteralPath).Sddl
}

function ConvertTo-NodeAccess {
    # Writes an access list in one way. Windows gives it back with other flags, names and order.
    # https://learn.microsoft.com/windows/win32/secauthz/ace-strings
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Sddl)

    $list = [regex]::Match($Sddl, 'D:(?<flags>[A-Z]*)(?<entries>(?:\([^)]*\))*)')
    $names = @{ 'S-1-5-18' = 'SY'; 'S-1-5-32-544' = 'BA'; 'S-1-5-32-545' = 'BU'; 'S-1-5-11' = 'AU' }
    $rights = @{ '0x1f01ff' = 'FA'; 'GA' = 'FA'; '0x120089' = 'FR'; '0x120116' = 'FW'; '0x1200a0' = 'FX' }
    $entries = foreach ($entry in [regex]::Matches($list.Groups['entries'].Value, '\(([^)]*)\)')) {
        $field = $entry.Groups[1].Value.Split(';')
        # Inherited entries say nothing about the list itself.
        if ($field[1] -cmatch '^(?:..)*ID') { continue }
        if ($rights.ContainsKey($field[2])) { $field[2] = $rights[$field[2]] }
        if ($names.ContainsKey($field[5])) { $field[5] = $names[$field[5]] }
        '({0})' -f ($field -join ';')
    }
    $protected = if ($list.Groups['flags'].Value.StartsWith('P')) { 'P' } else { '' }
    'D:{0}{1}' -f $protected, (@($entries | Sort-Object) -join '')
}

function Protect-NodePath {
    # Gives a path an access list; owner and audit list stay.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Sddl
    )

    $list = Get-Acl -LiteralPath $LiteralPath
    $list.SetSecurityDescriptorSddlForm($Sddl, 'Access')
    Set-Acl -LiteralPath $LiteralPath -AclObject $list
}

function Write-NodeSecret {
    # Writes a file that only SYSTEM and Administrators can read. It is protected before it has content.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Text
    )

    Clear-NodePath -LiteralPath $LiteralPath
    $path = Resolve-NodePath -LiteralPath $LiteralPath
    [System.IO.File]::Open($path, 'CreateNew').Dispose()
    Protect-NodePath -LiteralPath $LiteralPath -Sddl $script:ProtectedFile
    if ((Get-NodeAccess -LiteralPath $LiteralPath) -cne (ConvertTo-NodeAccess -Sddl $script:ProtectedFile)) {
        throw "$LiteralPath could not be protected"
    }
    # UTF-8 without a byte order mark.
    [System.IO.File]::WriteAllText($path, $Text)
}

function Get-NodeRegistryData {
    # The data of a registry value as it is stored, unexpanded, or $null where there is none.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if (-not (Test-Path -LiteralPath $Key)) { return $null }
    $data = (Get-Item -LiteralPath $Key).GetValue($Name, $null, 'DoNotExpandEnvironmentNames')
    if ($data -is [array]) { return , $data }
    $data
}

function Write-NodeRegistryData {
    # Sets a registry value, and makes its key where it is missing.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Name,
        [Parameter(Mandatory = $true)] [string] $Type,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [AllowEmptyCollection()] [object] $Value
    )

    # With -Force, New-Item empties a key that is there.
    if (-not (Test-Path -LiteralPath $Key)) { $null = New-Item -Path $Key -Force }
    $null = New-ItemProperty -LiteralPath $Key -Name $Name -PropertyType $Type -Value $Value -Force
}

function Clear-NodeRegistryData {
    # Takes a registry value away, if it is there.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if ($null -ne (Get-NodeRegistryData -Key $Key -Name $Name)) {
        Remove-ItemProperty -LiteralPath $Key -Name $Name
    }
}

function Wait-NodeCondition {
    # Asks once a second until the answer is yes; whether it came in time.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [scriptblock] $Condition,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    for ($passed = 0; $passed -lt $Seconds; $passed++) {
        if (& $Condition) { return $true }
        Start-Sleep -Seconds 1
    }
    [bool](& $Condition)
}

#endregion
#region Log and memory

function Write-NodeLog {
    # Adds a line to the log, with the time as UTC. A full disk must not hide what went wrong.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('info', 'warn', 'fail')] [string] $Level,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Step,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $plain = (Hide-NodeSecret -Text $Message) -replace '\s*[\r\n]+\s*', ' '
    Write-Verbose -Message "$Step $plain"
    if ($null -eq $script:Run -or $script:Run.Log -eq '') { return }
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $now = [DateTime]::UtcNow.ToString('yyyy-MM-ddTHH:mm:ss.fffZ', $invariant)
    try {
        [System.IO.File]::AppendAllText($script:Run.Log, ("$now $Level $Step $plain" -replace '  +', ' ') + "`n")
    } catch [System.IO.IOException] {
        Write-Verbose -Message "the log could not be written: $($_.Exception.Message)"
    }
}

function Write-NodeLine {
    # Tells a person who watches.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    Write-Information -MessageData (Hide-NodeSecret -Text $Text)
}

function Write-NodeDetail {
    # Says why a test answers as it does; the walker keeps it with the result.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Text)

    Write-Information -MessageData $Text
}

function Hide-NodeSecret {
    # Takes secrets out of a text: those this run was given, and everything that looks like one.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $plain = $Text
    if ($null -ne $script:Run) {
        foreach ($secret in $script:Run.Secrets) { $plain = $plain.Replace($secret, '<hidden>') }
    }
    foreach ($pattern in $script:SecretPattern) { $plain = [regex]::Replace($plain, $pattern, '${keep}<hidden>') }
    $plain
}

$script:SecretPattern = @(
    # PEM blocks, also with their line ends escaped
    '(?<keep>)-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)'
    # JSON web tokens: service accounts, OIDC
    '(?<keep>)\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*'
    # bootstrap tokens; the half before the dot is not secret, but of no use either
    '(?<keep>)(?<![A-Za-z0-9.])[a-z0-9]{6}\.[a-z0-9]{16}(?![A-Za-z0-9])'
    # user and password in an address
    '(?<keep>://)[^/\s:@]+:[^/\s@]+(?=@)'
    # a field or flag with a telling name, in YAML, JSON, or on a command line
    '(?i)(?<keep>[\w-]*(?:token|passw(?:or)?d|secret|(?:key|certificate|authority)-data|authorization|api-?key|' +
    'credential)s?\\?["'']?\s*[:=]\s*\\?["'']?(?:bearer\s+|basic\s+)?)[^\s"'',;]{6,}'
    # long base64: keys and certificates without their frame
    '(?<keep>)(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{100,}={0,2}'
)

function Get-NodeMemory {
    # What was noted of a step, by the name of the chapter: before, receipts.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('before', 'receipts')] [string] $Chapter,
        [Parameter(Mandatory = $true)] [string] $Id
    )

    , $script:Run.State[$Chapter][$Id]
}

function Write-NodeMemory {
    # Notes something of a step, on the disk before anything else happens.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [ValidateSet('before', 'receipts')] [string] $Chapter,
        [Parameter(Mandatory = $true)] [string] $Id,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Value
    )

    $script:Run.State[$Chapter][$Id] = $Value
    Save-NodeState
}

function Save-NodeState {
    # Writes the memory to the disk.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $text = ConvertTo-NodeJson -InputObject $script:Run.State
    Write-NodeText -LiteralPath $script:Run.StateFile -Text "$text`n"
}

function Read-NodeState {
    # The memory of earlier runs, or an empty one.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $state = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    if (Test-Path -LiteralPath $LiteralPath) {
        $state = ConvertFrom-NodeJson -Text (Read-NodeText -LiteralPath $LiteralPath)
    }
    $empty = [ordered]@{
        apiVersion = 'winnode/v1'; kind = 'NodeState'; joined = $false; boot = ''
        restarts = @(); stopped = @()
        before   = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
        receipts = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    }
    foreach ($name in @($empty.Keys)) { if (-not $state.Contains($name)) { $state[$name] = $empty[$name] } }
    $state
}

function Get-NodeBootTime {
    # When the machine started: what asked for a restart before that has had it.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $started = (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime.ToUniversalTime()
    $started.ToString('yyyy-MM-ddTHH:mm:ssZ', [System.Globalization.CultureInfo]::InvariantCulture)
}

function Add-NodeRestart {
    # Notes that a step waits for a restart of the machine.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Id)

    $state = $script:Run.State
    $boot = Get-NodeBootTime
    if ($state['boot'] -cne $boot) { $state['restarts'] = @() }
    $state['boot'] = $boot
    $state['restarts'] = @(@($state['restarts']) + $Id | Select-Object -Unique)
    Save-NodeState
}

function Get-NodeRestart {
    # Ids of the steps that wait for a restart since the machine last started.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $state = $script:Run.State
    if (@($state['restarts']).Count -eq 0 -or $state['boot'] -cne (Get-NodeBootTime)) { return }
    $state['restarts']
}

function Open-NodeRun {
    # Reads the bundle and the memory; a run that may change things also takes the lock and opens the log.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [string[]] $Secret = @(),
        [Parameter()] [switch] $Writes,
        [Parameter()] [switch] $Force
    )

    if (-not [Environment]::Is64BitProcess) { throw 'this is the 32-bit PowerShell; run the 64-bit one' }
    Enable-NodeTransportSecurity
    $bundle = Resolve-NodePath -LiteralPath $Path
    $script:Run = @{
        Bundle = $bundle; Document = $null; State = $null; StateFile = ''; Lock = $null; Log = ''
        Secrets = @($Secret | Where-Object -FilterScript { $_ }); Token = ''; Force = [bool]$Force; Facts = @{}
        Message = ''; Steps = @(); Preflight = @()
        RemoveData = $false; RemoveFeature = $false
    }
    $document = Read-NodeDocument -LiteralPath (Join-Path -Path $bundle -ChildPath 'node.json')
    $folder = $document['paths']['state']
    $script:Run.Document = $document
    $script:Run.StateFile = "$folder\state.json"
    if ($Writes) {
        Initialize-NodeFolder -LiteralPath $folder
        if ((Get-NodeAccess -LiteralPath $folder) -cne (ConvertTo-NodeAccess -Sddl $script:ProtectedFolder)) {
            Protect-NodePath -LiteralPath $folder -Sddl $script:ProtectedFolder
        }
        $script:Run.Lock = Lock-NodeState -LiteralPath "$folder\lock"
        $script:Run.Log = Open-NodeLog -LiteralPath $document['paths']['log']
    }
    $script:Run.State = Read-NodeState -LiteralPath $script:Run.StateFile
}

function Lock-NodeState {
    # Keeps other runs out: a file that only this process may open. It goes with the process, so it is
    # never left behind.
    [CmdletBinding()]
    [OutputType([System.IO.FileStream])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    try {
        [System.IO.File]::Open((Resolve-NodePath -LiteralPath $LiteralPath), 'OpenOrCreate', 'ReadWrite', 'None')
    } catch [System.IO.IOException] {
        throw 'another run of winnode is at work on this machine'
    }
}

function Open-NodeLog {
    # The path of the log as .NET knows it; one that has grown large makes place first.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    Initialize-NodeFolder -LiteralPath $LiteralPath
    $log = "$LiteralPath\winnode.log"
    if ((Test-Path -LiteralPath $log) -and (Get-Item -LiteralPath $log).Length -gt $script:Limit.LogBytes) {
        Move-NodeFile -LiteralPath $log -Destination "$log.1"
    }
    Resolve-NodePath -LiteralPath $log
}

function Close-NodeRun {
    # Gives the lock back and forgets the secrets.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    if ($null -ne $script:Run -and $null -ne $script:Run.Lock) { $script:Run.Lock.Dispose() }
    $script:Run = $null
}

function Read-NodeDocument {
    # Reads node.json, and refuses what this module does not know.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $document = ConvertFrom-NodeJson -Text (Read-NodeText -LiteralPath $LiteralPath)
    if ($document['apiVersion'] -cne 'winnode/v1' -or $document['kind'] -cne 'NodeDocument') {
        throw "$LiteralPath is not a NodeDocument of winnode/v1"
    }
    foreach ($step in $document['steps']) {
        if (-not $script:StepKind.ContainsKey($step['kind'])) { throw "unknown kind of step: $($step['kind'])" }
    }
    foreach ($check in $document['preflight']) {
        if (-not $script:PreflightKind.ContainsKey($check['kind'])) {
            throw "unknown kind of check: $($check['kind'])"
        }
    }
    $document
}

#endregion
#region Node facts

function Get-NodeFact {
    # One of the five things that are known only here; node.json may override each.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    # The network plugin may change its own facts while we run; the machine's stay.
    if ($script:Run.Facts.ContainsKey($Name)) { return $script:Run.Facts[$Name] }
    $fact = Get-NodeFactEntry -Name $Name
    $need = ConvertTo-NodeMap -Pair $fact['with']
    if ($null -ne $fact['override']) { return [string]$fact['override'] }
    switch ($Name) {
        'nodeName' { $script:Run.Facts[$Name] = Get-NodeName }
        'nodeIP' { $script:Run.Facts[$Name] = (Get-NodeAddress).IPAddress }
        'adapter' { $script:Run.Facts[$Name] = (Get-NodeAddress).InterfaceAlias }
        'podSubnet' { return Get-NodePodSubnet -Need $need }
        'sourceVip' { return Get-NodeSourceVip }
        'providerID' { return Read-NodeFactFile -Need $need -Name $Name }
        default { throw "unknown fact: $Name" }
    }
    $script:Run.Facts[$Name]
}

function Get-NodeFactEntry {
    # What node.json says of a fact; an empty map where it says nothing.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $entry = @($script:Run.Document['facts'] | Where-Object -FilterScript { $_['name'] -ceq $Name })
    if ($entry.Count -gt 0) { return $entry[0] }
    New-Object -TypeName System.Collections.Specialized.OrderedDictionary
}

function Get-NodeName {
    # The DNS host name in lower case, as the kubelet and kubeadm read it; $env:COMPUTERNAME is the NetBIOS
    # name, in upper case and cut at 15 characters.
    # https://learn.microsoft.com/windows/win32/sysinfo/computer-names
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $key = 'HKLM:\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters'
    $name = Get-NodeRegistryData -Key $key -Name 'Hostname'
    if (-not $name) { throw 'the machine has no DNS host name' }
    $name.ToLowerInvariant()
}

function Get-NodeAddress {
    # The first IPv4 address of the adapter that carries the default route, or of the one that node.json names.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    $alias = (Get-NodeFactEntry -Name 'adapter')['override']
    $addresses = @(if ($null -ne $alias) {
            # HNS moves an adapter's address to a virtual one of this name.
            foreach ($name in $alias, "vEthernet ($alias)") {
                Get-NetIPAddress -InterfaceAlias $name -AddressFamily IPv4 -ErrorAction SilentlyContinue
            }
        } else {
            $route = Get-NetRoute -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue |
                Sort-Object -Property { $_.RouteMetric + $_.InterfaceMetric } | Select-Object -First 1
            if ($null -eq $route) { throw 'the machine has no default route, so its address is unknown' }
            $index = $route.InterfaceIndex
            Get-NetIPAddress -InterfaceIndex $index -AddressFamily IPv4 -ErrorAction SilentlyContinue
        })
    # 169.254: what Windows takes where it finds no DHCP server.
    $usable = @($addresses | Where-Object -FilterScript { "$($_.IPAddress)" -notlike '169.254.*' })
    if ($usable.Count -eq 0) { throw 'the adapter of the default route has no IPv4 address' }
    $usable[0]
}

function Get-NodePodSubnet {
    # This node's share of the pod CIDR, as the network plugin wrote it, as a network address.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $file = $Need['file']
    if ($null -ne $file) {
        if (-not (Test-Path -LiteralPath $file)) { throw "the pod subnet is not known yet: there is no $file" }
        $line = [regex]::Match((Read-NodeText -LiteralPath $file), '(?m)^FLANNEL_SUBNET=(\S+)\s*$')
        if (-not $line.Success) { throw "$file names no FLANNEL_SUBNET" }
        return ConvertTo-NodeSubnet -Prefix $line.Groups[1].Value
    }
    $name = [string]$Need['network']
    $network = Get-NodeHnsNetwork -Name $name
    if ($null -eq $network) { throw "the pod subnet is not known yet: there is no HNS network $name" }
    ConvertTo-NodeSubnet -Prefix ([string]@($network.Subnets)[0].AddressPrefix)
}

function Get-NodeSourceVip {
    # The address that a step of this bundle reserved for kube-proxy.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'addressReservation' -and $step['fact'] -ceq 'sourceVip') {
            $address = Get-NodeReservation -Step $step
            if ($address) { return $address }
        }
    }
    throw 'the source VIP is not reserved yet'
}

function Read-NodeFactFile {
    # A fact that something else wrote to a file of one line.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $file = $Need['file']
    if ($null -eq $file) { throw "node.json does not say where $Name comes from" }
    if (-not (Test-Path -LiteralPath $file)) { throw "$Name is not known yet: there is no $file" }
    $value = (Read-NodeText -LiteralPath $file).Trim()
    if ($value -eq '' -or $value.Contains("`n")) { throw "$file does not hold one line" }
    $value
}

function ConvertTo-NodeSubnet {
    # 10.244.3.1/24 as 10.244.3.0/24.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Prefix)

    if ($Prefix -notmatch '^(\d{1,3}(?:\.\d{1,3}){3})/(\d{1,2})$') { throw "$Prefix is not an IPv4 subnet" }
    $length = [int]$Matches[2]
    $first = Get-NodeAddressNumber -Address $Matches[1]
    $first -= $first % [long][math]::Pow(2, 32 - $length)
    '{0}/{1}' -f (ConvertTo-NodeAddressText -Number $first), $length
}

function Test-NodeSubnetMember {
    # Whether an address lies in a subnet.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Subnet,
        [Parameter(Mandatory = $true)] [string] $Address
    )

    (ConvertTo-NodeSubnet -Prefix ('{0}/{1}' -f $Address, $Subnet.Split('/')[1])) -ceq $Subnet
}

function Get-NodeAddressNumber {
    # An IPv4 address as a number.
    [CmdletBinding()]
    [OutputType([long])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    $number = [long]0
    foreach ($part in $Address.Split('.')) { $number = $number * 256 + [int]$part }
    $number
}

function ConvertTo-NodeAddressText {
    # A number as an IPv4 address.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [long] $Number)

    $parts = foreach ($power in 24, 16, 8, 0) { [math]::Floor($Number / [math]::Pow(2, $power)) % 256 }
    $parts -join '.'
}

function Resolve-NodeArgument {
    # Texts and facts, put together.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Argument)

    $parts = foreach ($part in $Argument) {
        $part['text']
        if ($null -ne $part['fact']) { Get-NodeFact -Name $part['fact'] }
    }
    $parts -join ''
}

function Get-NodeDerivedText {
    # The JSON base of a step with this node's facts in it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $base = Read-NodeText -LiteralPath (Resolve-NodeSource -Source $Step['source'] -Sha256 $Step['sha256'])
    $document = ConvertFrom-NodeJson -Text $base
    foreach ($derivation in $Step['derive']) {
        $value = Resolve-NodeArgument -Argument $derivation['value']
        Edit-NodeJson -Document $document -Pointer $derivation['pointer'] -Value $value
    }
    (ConvertTo-NodeJson -InputObject $document) + "`n"
}

function Test-NodeStepUsesFact {
    # Whether a step holds something that is known only on the node.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($Step['kind'] -ceq 'derivedFile') { return $true }
    if ($Step['kind'] -cne 'service') { return $false }
    $arguments = @($Step['command']) + @($Step['environment'] | ForEach-Object -Process { $_['value'] })
    @($arguments | Where-Object -FilterScript { $null -ne $_ -and $null -ne $_['fact'] }).Count -gt 0
}

#endregion
#region Downloads

function Enable-NodeTransportSecurity {
    # Adds TLS 1.2 where .NET was told not to offer it. SystemDefault leaves the choice to Windows, which has
    # 1.2 and 1.3; adding a bit to it would take 1.3 away.
    # https://learn.microsoft.com/dotnet/framework/network-programming/tls
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $manager = [System.Net.ServicePointManager]
    if ([int]$manager::SecurityProtocol -ne 0) {
        $manager::SecurityProtocol = $manager::SecurityProtocol -bor [System.Net.SecurityProtocolType]::Tls12
    }
}

function Save-NodeDownload {
    # Fetches a file and checks its digest. What it returns is the digest; the file lies beside its last
    # place under a temporary name, so that nothing unchecked ever has the real one.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Checksum
    )

    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $LiteralPath)
    $expected = Get-NodeExpectedDigest -Checksum $Checksum -LiteralPath "$LiteralPath.sum"
    if ((Get-NodeDigest -LiteralPath $LiteralPath) -ceq $expected) { return $expected }
    $resumed = Receive-NodeFile -Url $Url -LiteralPath $LiteralPath
    $found = Get-NodeDigest -LiteralPath $LiteralPath
    if ($found -cne $expected -and $resumed) {
        # The first part may be of another file.
        Clear-NodePath -LiteralPath $LiteralPath
        $null = Receive-NodeFile -Url $Url -LiteralPath $LiteralPath
        $found = Get-NodeDigest -LiteralPath $LiteralPath
    }
    if ($found -cne $expected) {
        Clear-NodePath -LiteralPath $LiteralPath
        throw "$Url has sha256 $found, expected $expected"
    }
    $expected
}

function Get-NodeExpectedDigest {
    # The digest that a download must have: pinned in node.json, or read from the publisher's file.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Checksum,
        [Parameter(Mandatory = $true)] [string] $LiteralPath
    )

    if ($Checksum['kind'] -ceq 'pinned') { return $Checksum['sha256'] }
    try {
        Clear-NodePath -LiteralPath $LiteralPath
        $null = Receive-NodeFile -Url $Checksum['url'] -LiteralPath $LiteralPath
        $text = Read-NodeText -LiteralPath $LiteralPath
    } finally {
        Clear-NodePath -LiteralPath $LiteralPath
    }
    $digest = Select-NodeChecksum -Text $text -Shape $Checksum['shape'] -Name $Checksum['name']
    if ($digest -eq '') { throw "$($Checksum['url']) has no sha256 of $($Checksum['name'])" }
    $digest
}

function Select-NodeChecksum {
    # The SHA-256 in a checksum file: alone in the shape 'bare', on the line of its file in the shape 'named'.
    # Names are compared whole. An empty text where there is none, or where two lines disagree.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text,
        [Parameter(Mandatory = $true)] [ValidateSet('bare', 'named')] [string] $Shape,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    if ($Shape -eq 'bare') {
        $token = $Text.Trim()
        if ($token -match '^[0-9a-fA-F]{64}$') { return $token.ToLowerInvariant() }
        return ''
    }
    $found = foreach ($line in $Text -split '\r?\n') {
        if ($line -match '^([0-9a-fA-F]{64})[ \t]+\*?(\S.*?)\s*$') {
            $digest = $Matches[1].ToLowerInvariant()
            $file = $Matches[2].Substring($Matches[2].LastIndexOf('/') + 1)
            if ($file -ceq $Name) { $digest }
        }
    }
    $distinct = @($found | Select-Object -Unique)
    if ($distinct.Count -eq 1) { return $distinct[0] }
    ''
}

function Receive-NodeFile {
    # Fetches an address, goes on where an earlier attempt stopped, and tries again a few times, each time
    # after a longer pause. Whether the file began before this call.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [string] $LiteralPath
    )

    $resumed = $false
    for ($attempt = 1; ; $attempt++) {
        try {
            $resumed = (Receive-NodePart -Url $Url -LiteralPath $LiteralPath) -or $resumed
            return $resumed
        } catch {
            $problem = $_
            if (Test-NodeFatal -ErrorRecord $problem) {
                Clear-NodePath -LiteralPath $LiteralPath
                throw "$Url could not be fetched: $($problem.Exception.Message)"
            }
            if ($attempt -ge $script:Limit.Attempts) {
                throw "$Url could not be fetched in $attempt attempts: $($problem.Exception.Message)"
            }
            $resumed = $true
            Write-NodeLog -Level warn -Step '' -Message "$Url, attempt ${attempt}: $($problem.Exception.Message)"
            Start-Sleep -Seconds ([math]::Pow(2, $attempt - 1))
        }
    }
}

function Test-NodeFatal {
    # Whether trying again is of no use: the server said no, the address is refused, or the disk is full.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Management.Automation.ErrorRecord] $ErrorRecord)

    $code = Get-NodeStatusCode -ErrorRecord $ErrorRecord
    # 408 and 429 ask to come back; 416 is answered by starting anew.
    if ($code -ne 0) { return $code -ge 400 -and $code -lt 500 -and $code -notin 408, 416, 429 }
    $cause = $ErrorRecord.Exception.GetBaseException()
    $diskFull = -2147024784
    $cause -is [System.NotSupportedException] -or $cause.HResult -eq $diskFull
}

function Get-NodeStatusCode {
    # What a server answered, or 0 where none did.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [System.Management.Automation.ErrorRecord] $ErrorRecord)

    for ($next = $ErrorRecord.Exception; $null -ne $next; $next = $next.InnerException) {
        if ($next -is [System.Net.WebException] -and $null -ne $next.Response) {
            return [int]$next.Response.StatusCode
        }
    }
    0
}

function Receive-NodePart {
    # One attempt to fetch what a file still lacks. Whether it began before.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [string] $LiteralPath
    )

    $path = Resolve-NodePath -LiteralPath $LiteralPath
    $have = [long]0
    if ([System.IO.File]::Exists($path)) { $have = (Get-Item -LiteralPath $LiteralPath).Length }
    try {
        $response = Get-NodeResponse -Url $Url -Offset $have
    } catch {
        # As long as the file on the server, or longer, and yet not it.
        if ((Get-NodeStatusCode -ErrorRecord $_) -eq 416) { Clear-NodePath -LiteralPath $LiteralPath }
        throw
    }
    try {
        $range = "$($response.Headers['Content-Range'])"
        $resumes = [int]$response.StatusCode -eq 206 -and $range.StartsWith("bytes $have-")
        $mode = if ($resumes) { 'Append' } else { 'Create' }
        $file = [System.IO.File]::Open($path, $mode, 'Write', 'None')
        try {
            $start = $file.Position
            $response.GetResponseStream().CopyTo($file)
            $count = $file.Position - $start
        } finally {
            $file.Dispose()
        }
        # .NET Framework takes a connection that breaks for the end of the file.
        if ($response.ContentLength -ge 0 -and $count -ne $response.ContentLength) {
            throw "the answer ended after $count of $($response.ContentLength) bytes"
        }
    } finally {
        $response.Close()
    }
    $resumes
}

function Get-NodeResponse {
    # The answer of a server, after redirects; each address on the way must be https, or this machine's own.
    [CmdletBinding()]
    [OutputType([System.Net.HttpWebResponse])]
    param(
        [Parameter(Mandatory = $true)] [string] $Url,
        [Parameter(Mandatory = $true)] [long] $Offset
    )

    $uri = New-Object -TypeName System.Uri -ArgumentList $Url
    for ($hop = 0; $hop -le $script:Limit.Redirects; $hop++) {
        if ($uri.Scheme -cne 'https' -and -not ($uri.Scheme -ceq 'http' -and $uri.IsLoopback)) {
            throw (New-Object -TypeName System.NotSupportedException -ArgumentList "$uri is not https")
        }
        $request = [System.Net.WebRequest]::Create($uri)
        $request.AllowAutoRedirect = $false
        $request.UserAgent = 'winnode'
        $request.Timeout = 1000 * $script:Limit.ConnectSeconds
        $request.ReadWriteTimeout = 1000 * $script:Limit.ReadSeconds
        $proxy = Get-NodeProxy -Uri $uri
        if ($null -ne $proxy) { $request.Proxy = $proxy }
        if ($Offset -gt 0) { $request.AddRange($Offset) }
        $response = $request.GetResponse()
        if ([int]$response.StatusCode -lt 300) { return $response }
        $place = $response.Headers['Location']
        $response.Close()
        if (-not $place) { throw "$uri answered $([int]$response.StatusCode) without a place" }
        $uri = New-Object -TypeName System.Uri -ArgumentList $uri, $place
    }
    throw (New-Object -TypeName System.NotSupportedException -ArgumentList "$Url leads through too many redirects")
}

function Get-NodeProxy {
    # The proxy of the environment for an address, or $null. .NET Framework reads none from there.
    [CmdletBinding()]
    [OutputType([System.Net.WebProxy])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $address = if ($Uri.Scheme -ceq 'https') { $env:HTTPS_PROXY } else { $env:HTTP_PROXY }
    if (-not $address -or $Uri.IsLoopback) { return $null }
    foreach ($entry in "$env:NO_PROXY".Split(',')) {
        $suffix = $entry.Trim().TrimStart('.')
        if ($suffix -eq '*' -or ($suffix -and ".$($Uri.Host)".EndsWith(".$suffix", 'OrdinalIgnoreCase'))) {
            return $null
        }
    }
    $proxy = New-Object -TypeName System.Net.WebProxy -ArgumentList $address
    $user = $proxy.Address.UserInfo
    if ($user) {
        $parts = @("${user}:".Split(':') | ForEach-Object -Process { [System.Uri]::UnescapeDataString($_) })
        $proxy.Credentials = New-Object -TypeName System.Net.NetworkCredential -ArgumentList $parts[0], $parts[1]
    }
    $proxy
}

function Expand-NodeArchive {
    # Takes listed members out of an archive, into a folder; gives their paths, in the same order.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Destination,
        [Parameter(Mandatory = $true)] [string[]] $Member
    )

    # The program knows no drives of PowerShell.
    $archive = Resolve-NodePath -LiteralPath $LiteralPath
    $folder = Resolve-NodePath -LiteralPath $Destination
    $listed = @(Invoke-Native -FilePath 'tar.exe' -ArgumentList '-tf', $archive)
    $entries = foreach ($name in $Member) {
        $leads = '(^|/)\.\.?(/|$)|[\\:*?"<>|\x00-\x1f]|^/|^$'
        if ($name -match $leads) { throw "$name is no member to take" }
        $same = @($listed | Where-Object -FilterScript { ($_ -replace '^\./') -ceq $name })
        if ($same.Count -ne 1) { throw "$LiteralPath holds $name $($same.Count) times" }
        $same[0]
    }
    Clear-NodePath -LiteralPath $Destination
    Initialize-NodeFolder -LiteralPath $Destination
    $null = Invoke-Native -FilePath 'tar.exe' -ArgumentList (@('-xf', $archive, '-C', $folder) + $entries)
    foreach ($name in $Member) {
        $path = '{0}\{1}' -f $Destination, $name.Replace('/', '\')
        $item = Get-Item -LiteralPath $path -Force
        # A link would lead out of the folder.
        if ($item.PSIsContainer -or $item.Attributes -band [System.IO.FileAttributes]::ReparsePoint) {
            throw "$name is not a plain file"
        }
        $path
    }
}

#endregion
#region Services

function ConvertTo-NodeCommandLine {
    # One line of a program and its arguments, quoted as programs take it apart; a path with a space and no
    # quotes would let another program run (CVE-2024-8975).
    # https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [AllowEmptyString()] [string[]] $Argument)

    $quoted = foreach ($text in $Argument) {
        if ($text -ne '' -and $text -notmatch '[\s"]') { $text; continue }
        # Backslashes are doubled before a quote, and only there.
        $inner = [regex]::Replace($text, '(\\*)"', '$1$1\"')
        '"{0}"' -f [regex]::Replace($inner, '(\\+)$', '$1$1')
    }
    $quoted -join ' '
}

function Get-NodeServiceWish {
    # What the registry must say of a service: name of the value, below Services\NAME, to its data.
    # nssm reads the program it runs from Parameters; texts of type String are taken as they are.
    # https://nssm.cc/usage
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $command = @(foreach ($part in $Step['command']) { Resolve-NodeArgument -Argument @($part) })
    $wish = [ordered]@{
        DisplayName     = $Step['displayName']
        Description     = $Step['description']
        Start           = Get-NodeServiceStart -Step $Step
        DependOnService = @($Step['dependsOn'])
        Environment     = @(foreach ($entry in $Step['environment']) {
                '{0}={1}' -f $entry['name'], (Resolve-NodeArgument -Argument @($entry['value']))
            })
    }
    if ($Step['scm'] -cne 'wrapped') {
        $wish['ImagePath'] = ConvertTo-NodeCommandLine -Argument $command
        return $wish
    }
    $wish['ImagePath'] = ConvertTo-NodeCommandLine -Argument $Step['wrapper']
    $wish['Parameters\Application'] = $command[0]
    $wish['Parameters\AppDirectory'] = Get-NodeParent -LiteralPath $command[0]
    $wish['Parameters\AppParameters'] = ConvertTo-NodeCommandLine -Argument @($command | Select-Object -Skip 1)
    foreach ($delay in @($Step['restartDelays'] | Select-Object -First 1)) {
        $wish['Parameters\AppRestartDelay'] = [int]$delay
    }
    $log = $Step['log']
    if ($null -ne $log) {
        $wish['Parameters\AppStdout'] = $log['path']
        $wish['Parameters\AppStderr'] = $log['path']
        $wish['Parameters\AppRotateFiles'] = 1
        $wish['Parameters\AppRotateOnline'] = 1
        $wish['Parameters\AppRotateBytes'] = [int]$log['maxSizeMiB'] * 1MB
    }
    $wish
}

function Get-NodeServiceStart {
    # How a service starts: 2 with Windows, 3 on demand. Once the machine has joined, the step that says so
    # for a joined machine counts.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $start = $Step['start']
    if ($script:Run.State['joined']) {
        foreach ($other in $script:Run.Document['steps']) {
            $same = $other['kind'] -ceq 'serviceStart' -and $other['name'] -ceq $Step['name']
            if ($same) { $start = $other['start'] }
        }
    }
    if ($start -ceq 'auto') { 2 } else { 3 }
}

function Get-NodeServiceData {
    # What the registry says of a service now, under the names of a wish.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [System.Collections.ICollection] $Value
    )

    $data = [ordered]@{}
    foreach ($path in $Value) {
        $key = "$script:Services\$Name"
        if ($path.StartsWith('Parameters\')) { $key = "$key\Parameters" }
        $data[$path] = Get-NodeRegistryData -Key $key -Name ($path -replace '^Parameters\\')
    }
    $data
}

function Get-NodeRecovery {
    # Delays and reset period of a service's recovery, as the service manager keeps them: reset period,
    # two pointers, count, pointer, then pairs of an action (1: restart the service) and its delay.
    # https://learn.microsoft.com/windows/win32/api/winsvc/ns-winsvc-service_failure_actionsw
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $bytes = Get-NodeRegistryData -Key "$script:Services\$Name" -Name 'FailureActions'
    if ($null -eq $bytes -or $bytes.Count -lt 20) { return '' }
    $count = [System.BitConverter]::ToInt32($bytes, 12)
    $actions = for ($index = 0; $index -lt $count; $index++) {
        $kind = [System.BitConverter]::ToInt32($bytes, 20 + 8 * $index)
        $delay = [System.BitConverter]::ToInt32($bytes, 24 + 8 * $index)
        '{0}/{1}' -f $(if ($kind -eq 1) { 'restart' } else { $kind }), $delay
    }
    $flag = Get-NodeRegistryData -Key "$script:Services\$Name" -Name 'FailureActionsOnNonCrashFailures'
    '{0} {1} {2}' -f [System.BitConverter]::ToInt32($bytes, 0), (@($actions) -join '/'), [int]$flag
}

function Get-NodeRecoveryWish {
    # The same for a step.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $actions = foreach ($delay in $Step['restartDelays']) { "restart/$delay" }
    '{0} {1} 1' -f $Step['resetAfter'], (@($actions) -join '/')
}

function Test-NodeServiceActive {
    # Whether a service is there and runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $service = Get-Service -Name $Name -ErrorAction SilentlyContinue
    $null -ne $service -and "$($service.Status)" -eq 'Running'
}

function Get-NodeServiceUsing {
    # Names of the services of node.json that run a file, or that are told to read it.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'service') { continue }
        $texts = @($step['command'] | ForEach-Object -Process { $_['text'] }) + @("$($step['wrapper'])")
        $uses = @($texts | Where-Object -FilterScript {
                $_.EndsWith($LiteralPath, [System.StringComparison]::OrdinalIgnoreCase)
            })
        if ($uses.Count -gt 0) { $step['name'] }
    }
}

function Get-NodeServiceToStop {
    # Those of the given services that run, and before them those that need them; last in node.json first.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Name)

    $wanted = New-Object -TypeName System.Collections.ArrayList -ArgumentList (, $Name)
    $services = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['kind'] -ceq 'service' })
    # A service stands after those it needs.
    foreach ($step in $services) {
        foreach ($need in $step['dependsOn']) {
            $new = $wanted -contains $need -and $wanted -notcontains $step['name']
            if ($new) { $null = $wanted.Add($step['name']) }
        }
    }
    for ($index = $services.Count - 1; $index -ge 0; $index--) {
        $candidate = $services[$index]['name']
        if ($wanted -contains $candidate -and (Test-NodeServiceActive -Name $candidate)) { $candidate }
    }
}

function Suspend-NodeService {
    # Stops services, and remembers on the disk that they are to run again when this run ends.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Name)

    $stop = @(Get-NodeServiceToStop -Name $Name)
    if ($stop.Count -eq 0) { return }
    $script:Run.State['stopped'] = @(@($script:Run.State['stopped']) + $stop | Select-Object -Unique)
    Save-NodeState
    foreach ($service in $stop) { Close-NodeService -Name $service }
}

function Close-NodeService {
    # Stops a service and waits until it has stopped.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (-not (Test-NodeServiceActive -Name $Name)) { return }
    Write-NodeLog -Level info -Step '' -Message "stopping the service $Name"
    Stop-Service -Name $Name -Force
    $stopped = Wait-NodeCondition -Seconds $script:Limit.ServiceSeconds -Condition {
        "$((Get-Service -Name $Name).Status)" -eq 'Stopped'
    }
    if (-not $stopped) { throw "the service $Name does not stop" }
}

function Open-NodeService {
    # Starts a service and waits until it runs.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    if (Test-NodeServiceActive -Name $Name) { return }
    Write-NodeLog -Level info -Step '' -Message "starting the service $Name"
    Start-Service -Name $Name
    if (-not (Wait-NodeCondition -Seconds $Seconds -Condition { Test-NodeServiceActive -Name $Name })) {
        throw "the service $Name does not run after $Seconds s"
    }
}

function Resume-NodeService {
    # Starts what Suspend-NodeService stopped, in this run or in one that was cut off.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $stopped = @($script:Run.State['stopped'])
    if ($stopped.Count -eq 0) { return }
    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'service' -and $stopped -contains $step['name']) {
            Open-NodeService -Name $step['name'] -Seconds $script:Limit.ServiceSeconds
        }
    }
    $script:Run.State['stopped'] = @()
    Save-NodeState
}

function Edit-NodeServiceControl {
    # Calls Win32_Service.Change, which takes a quoted command line as it is; sc.exe does not get it whole.
    # https://learn.microsoft.com/windows/win32/cimwin32prov/change-method-in-class-win32-service
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [hashtable] $Change
    )

    $service = Get-CimInstance -ClassName Win32_Service -Filter "Name='$Name'"
    if ($null -eq $service) { throw "there is no service $Name" }
    $code = (Invoke-CimMethod -InputObject $service -MethodName Change -Arguments $Change).ReturnValue
    if ($code -ne 0) { throw "the service $Name refuses the change with code $code" }
}

function Write-NodeService {
    # Makes a service, or gives it what it lacks.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish
    )

    $needs = @($Wish['DependOnService'])
    if (Test-Path -LiteralPath "$script:Services\$Name") {
        Edit-NodeServiceControl -Name $Name -Change @{
            PathName            = $Wish['ImagePath']
            DisplayName         = $Wish['DisplayName']
            StartMode           = if ($Wish['Start'] -eq 2) { 'Automatic' } else { 'Manual' }
            # One empty text takes all dependencies away; an empty list would leave them.
            ServiceDependencies = [string[]]@(if ($needs.Count -gt 0) { $needs } else { '' })
        }
        Set-Service -Name $Name -Description $Wish['Description']
    } else {
        $service = @{
            Name           = $Name
            BinaryPathName = $Wish['ImagePath']
            DisplayName    = $Wish['DisplayName']
            Description    = $Wish['Description']
            StartupType    = if ($Wish['Start'] -eq 2) { 'Automatic' } else { 'Manual' }
        }
        if ($needs.Count -gt 0) { $service['DependsOn'] = [string[]]$needs }
        $null = New-Service @service
    }
    foreach ($path in @($Wish.Keys)) {
        if ($path -ne 'Environment' -and -not $path.StartsWith('Parameters\')) { continue }
        Write-NodeServiceData -Name $Name -Path $path -Value $Wish[$path]
    }
}

function Write-NodeServiceData {
    # Sets what only the registry takes: environment, and what nssm reads.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyString()] [AllowEmptyCollection()] [object] $Value
    )

    $key = "$script:Services\$Name"
    if ($Path.StartsWith('Parameters\')) { $key = "$key\Parameters" }
    $short = $Path -replace '^Parameters\\'
    if ($null -eq $Value -or ($Value -is [array] -and $Value.Count -eq 0)) {
        Clear-NodeRegistryData -Key $key -Name $short
    } elseif ($Value -is [array]) {
        Write-NodeRegistryData -Key $key -Name $short -Type 'MultiString' -Value ([string[]]$Value)
    } elseif ($Value -is [string]) {
        Write-NodeRegistryData -Key $key -Name $short -Type 'String' -Value $Value
    } else {
        Write-NodeRegistryData -Key $key -Name $short -Type 'DWord' -Value ([int]$Value)
    }
}

function Write-NodeRecovery {
    # Tells the service manager when to start a service again; New-Service and CIM cannot.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $actions = @(foreach ($delay in $Step['restartDelays']) { "restart/$delay" }) -join '/'
    $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList @(
        'failure', $Step['name'], 'reset=', "$($Step['resetAfter'])", 'actions=', $actions
    )
    # Also where the program ends by itself with an error.
    $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList 'failureflag', $Step['name'], '1'
}

function Unregister-NodeService {
    # Stops and deletes a service. Whether it goes only at the next start of the machine.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if (-not (Test-Path -LiteralPath "$script:Services\$Name")) { return $false }
    Close-NodeService -Name $Name
    # 1060: there is none; 1072: marked for deletion already.
    $null = Invoke-Native -FilePath 'sc.exe' -ArgumentList 'delete', $Name -SuccessCode 0, 1060, 1072
    $gone = Wait-NodeCondition -Seconds 10 -Condition { -not (Test-Path -LiteralPath "$script:Services\$Name") }
    -not $gone
}

function Find-NodeProgram {
    # The path on the node of a program that this bundle installs, or an empty text.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    foreach ($step in $script:Run.Document['steps']) {
        $paths = @($step['path']) + @($step['members'] | Where-Object -FilterScript { $null -ne $_ } |
                ForEach-Object -Process { $_['path'] })
        foreach ($path in $paths) { if ("$path".EndsWith("\$Name")) { return $path } }
    }
    ''
}

function Get-NodeWorkload {
    # Names of the pods that run here and that no DaemonSet would bring back. Only the controller of
    # DaemonSets sets this label: https://kubernetes.io/docs/reference/labels-annotations-taints/
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $crictl = Find-NodeProgram -Name 'crictl.exe'
    if ($crictl -eq '' -or -not (Test-Path -LiteralPath $crictl)) { return }
    if (-not (Test-NodeServiceActive -Name 'containerd')) { return }
    $text = Invoke-NodeCrictl -Program $crictl -ArgumentList 'pods', '--state', 'ready', '-o', 'json'
    $answer = ConvertFrom-NodeJson -Text $text
    foreach ($pod in $answer['items']) {
        $labels = $pod['labels']
        if ($null -ne $labels -and $labels.Contains('pod-template-generation')) { continue }
        '{0}/{1}' -f $pod['metadata']['namespace'], $pod['metadata']['name']
    }
}

function Invoke-NodeCrictl {
    # Asks containerd through its own pipe, whatever crictl.yaml of this user says; the answer as one text.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $Program,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList
    )

    $arguments = @('--runtime-endpoint', $script:RuntimeEndpoint, '--image-endpoint', $script:RuntimeEndpoint)
    (Invoke-Native -FilePath $Program -ArgumentList ($arguments + $ArgumentList)) -join "`n"
}

#endregion
#region Kinds: windowsFeature, directory

function Get-NodeFeatureState {
    # Installed, InstallPending, Available or Removed.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $feature = Get-WindowsFeature -Name $Step['name']
    if ($null -eq $feature) { throw "Windows has no feature $($Step['name'])" }
    "$($feature.InstallState)"
}

function Test-NodeWindowsFeature {
    # True when the feature is installed; one that waits for a restart is not.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $state = Get-NodeFeatureState -Step $Step
    if ($state -ne 'Installed') { Write-NodeDetail -Text "the feature is $state" }
    $state -eq 'Installed'
}

function Set-NodeWindowsFeature {
    # Installs the feature; true when it works only after a restart.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'install feature')) { return $false }
    if ((Get-NodeFeatureState -Step $Step) -eq 'InstallPending') { return $true }
    $answer = Install-WindowsFeature -Name $Step['name']
    if (-not $answer.Success) { throw "Windows did not install $($Step['name']): $($answer.ExitCode)" }
    "$($answer.RestartNeeded)" -ne 'No'
}

function Backup-NodeWindowsFeature {
    # The state before.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ state = Get-NodeFeatureState -Step $Step }
}

function Restore-NodeWindowsFeature {
    # Takes the feature away only where the caller asked for that: others may have come to use it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $script:Run.RemoveFeature -or $Before['state'] -eq 'Installed') {
        Write-NodeDetail -Text 'kept: the feature stays'
        return $false
    }
    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'remove feature')) { return $false }
    $answer = Uninstall-WindowsFeature -Name $Step['name']
    "$($answer.RestartNeeded)" -ne 'No'
}

function Test-NodeDirectory {
    # True when the folder is there and its access list is the wanted one.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-Path -LiteralPath $Step['path'] -PathType Container)) {
        Write-NodeDetail -Text 'the folder is missing'
        return $false
    }
    if ($null -eq $Step['sddl']) { return $true }
    $found = Get-NodeAccess -LiteralPath $Step['path']
    $wanted = ConvertTo-NodeAccess -Sddl $Step['sddl']
    if ($found -cne $wanted) { Write-NodeDetail -Text "the access list is $found, wanted $wanted" }
    $found -ceq $wanted
}

function Set-NodeDirectory {
    # Makes the folder and gives it its access list.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'make folder')) { return $false }
    Initialize-NodeFolder -LiteralPath $Step['path']
    if ($null -ne $Step['sddl']) { Protect-NodePath -LiteralPath $Step['path'] -Sddl $Step['sddl'] }
    $false
}

function Backup-NodeDirectory {
    # The access list before, or nothing where there was no folder.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not (Test-Path -LiteralPath $Step['path'])) { return $null }
    [ordered]@{ sddl = "$((Get-Acl -LiteralPath $Step['path']).Sddl)" }
}

function Restore-NodeDirectory {
    # Gives an earlier folder its list back; takes one of ours away when it is empty, or when asked to.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    $path = $Step['path']
    if (-not (Test-Path -LiteralPath $path)) { return $false }
    if (-not $PSCmdlet.ShouldProcess($path, 'restore folder')) { return $false }
    if ($null -ne $Before) {
        if ($null -ne $Step['sddl']) {
            Protect-NodePath -LiteralPath $path -Sddl $Before['sddl']
        }
        return $false
    }
    $count = @(Get-ChildItem -LiteralPath $path -Force).Count
    # Layers of images are links that Remove-Item would follow into, and fail halfway.
    # https://github.com/microsoft/hcsshim/issues/312
    $layers = $path -match '\\containerd(\\|$)'
    if ($count -eq 0 -or ($script:Run.RemoveData -and -not $layers)) {
        Clear-NodePath -LiteralPath $path
    } else {
        Write-NodeDetail -Text "kept: it holds $count entries"
    }
    $false
}

#endregion
#region Kinds: file, derivedFile, download, archive

function Test-NodeContent {
    # True when a file has this digest.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [string] $Sha256
    )

    $found = Get-NodeDigest -LiteralPath $LiteralPath
    if ($found -eq '') {
        Write-NodeDetail -Text "$LiteralPath is missing"
    } elseif ($found -cne $Sha256) {
        Write-NodeDetail -Text "$LiteralPath has sha256 $found, wanted $Sha256"
    }
    $found -ceq $Sha256
}

function Backup-NodePath {
    # Keeps a file that is about to be replaced, under its digest; nothing where there was none.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $digest = Get-NodeDigest -LiteralPath $LiteralPath
    if ($digest -eq '') { return $null }
    $folder = '{0}\backup' -f $script:Run.Document['paths']['state']
    Initialize-NodeFolder -LiteralPath $folder
    if (-not (Test-Path -LiteralPath "$folder\$digest")) {
        Copy-Item -LiteralPath $LiteralPath -Destination "$folder\$digest.winnode-new"
        Move-NodeFile -LiteralPath "$folder\$digest.winnode-new" -Destination "$folder\$digest"
    }
    [ordered]@{ sha256 = $digest }
}

function Restore-NodePath {
    # Puts the kept file back, or takes ours away.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    foreach ($suffix in '.winnode-part', '.winnode-made', '.winnode-new', '.winnode-old') {
        Clear-NodePath -LiteralPath "$LiteralPath$suffix"
    }
    if ($null -eq $Before) { Clear-NodePath -LiteralPath $LiteralPath; return }
    if ((Get-NodeDigest -LiteralPath $LiteralPath) -ceq $Before['sha256']) { return }
    $kept = '{0}\backup\{1}' -f $script:Run.Document['paths']['state'], $Before['sha256']
    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $LiteralPath)
    Copy-Item -LiteralPath $kept -Destination "$LiteralPath.winnode-new"
    Move-NodeFile -LiteralPath "$LiteralPath.winnode-new" -Destination $LiteralPath
}

function Test-NodeFile {
    # True when the file has the bytes of the bundle's.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeContent -LiteralPath $Step['path'] -Sha256 $Step['sha256']
}

function Set-NodeFile {
    # Copies the file out of the bundle.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'write file')) { return $false }
    $source = Resolve-NodeSource -Source $Step['source'] -Sha256 $Step['sha256']
    $fresh = '{0}.winnode-new' -f $Step['path']
    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $Step['path'])
    Copy-Item -LiteralPath $source -Destination $fresh -Force
    Install-NodeFile -LiteralPath $fresh -Destination $Step['path']
    $false
}

function Backup-NodeFile {
    # The file before.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Backup-NodePath -LiteralPath $Step['path']
}

function Restore-NodeFile {
    # Puts the file before back, or takes ours away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($PSCmdlet.ShouldProcess($Step['path'], 'restore file')) {
        Restore-NodePath -LiteralPath $Step['path'] -Before $Before
    }
    $false
}

function Test-NodeDerivedFile {
    # True when the file is the bundle's JSON with this node's facts in it, letter for letter.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    try {
        $text = Get-NodeDerivedText -Step $Step
    } catch {
        # A fact that is not known yet, or a damaged bundle: Set says so again, and stops the run.
        Write-NodeDetail -Text $_.Exception.Message
        return $false
    }
    Test-NodeContent -LiteralPath $Step['path'] -Sha256 (Get-NodeTextDigest -Text $text)
}

function Set-NodeDerivedFile {
    # Writes it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'write file')) { return $false }
    $text = Get-NodeDerivedText -Step $Step
    Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $Step['path'])
    $made = '{0}.winnode-made' -f $Step['path']
    Write-NodeText -LiteralPath $made -Text $text
    Install-NodeFile -LiteralPath $made -Destination $Step['path']
    $false
}

function Test-NodeReceipt {
    # True when the memory says that these files came from this address with this digest, and they still
    # have the digests that they had then.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string[]] $Path
    )

    $receipt = Get-NodeMemory -Chapter receipts -Id $Step['id']
    if ($null -eq $receipt) {
        Write-NodeDetail -Text 'it was not installed by winnode'
        return $false
    }
    $pinned = $Step['checksum']['sha256']
    if ($receipt['url'] -cne $Step['url'] -or ($null -ne $pinned -and $receipt['sha256'] -cne $pinned)) {
        Write-NodeDetail -Text "it was installed from $($receipt['url'])"
        return $false
    }
    $same = $true
    foreach ($one in $Path) {
        $digest = $receipt['files'][$one]
        if ($null -eq $digest) {
            Write-NodeDetail -Text "$one was not installed with it"
            $same = $false
        } else {
            $same = (Test-NodeContent -LiteralPath $one -Sha256 $digest) -and $same
        }
    }
    $same
}

function Test-NodeDownload {
    # True when the file is what its publisher or node.json says, as far as that is known without a network.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($Step['checksum']['kind'] -ceq 'pinned') {
        return Test-NodeContent -LiteralPath $Step['path'] -Sha256 $Step['checksum']['sha256']
    }
    Test-NodeReceipt -Step $Step -Path $Step['path']
}

function Set-NodeDownload {
    # Fetches the file, checks it, and puts it in place.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'download')) { return $false }
    $part = '{0}.winnode-part' -f $Step['path']
    $digest = Save-NodeDownload -Url $Step['url'] -LiteralPath $part -Checksum $Step['checksum']
    Install-NodeFile -LiteralPath $part -Destination $Step['path']
    Write-NodeMemory -Chapter receipts -Id $Step['id'] -Value ([ordered]@{
            url = $Step['url']; sha256 = $digest; files = [ordered]@{ $Step['path'] = $digest }
        })
    $false
}

function Test-NodeArchive {
    # True when each file that was taken out of the archive still is what it was then.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeReceipt -Step $Step -Path @($Step['members'] | ForEach-Object -Process { $_['path'] })
}

function Set-NodeArchive {
    # Fetches the archive, checks it, and puts its listed members in place.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['url'], 'download and unpack')) { return $false }
    $work = '{0}\work' -f $script:Run.Document['paths']['state']
    $archive = '{0}\{1}.{2}' -f $work, $Step['id'], $Step['format']
    $folder = '{0}\{1}' -f $work, $Step['id']
    $digest = Save-NodeDownload -Url $Step['url'] -LiteralPath $archive -Checksum $Step['checksum']
    try {
        $members = @($Step['members'])
        $names = @($members | ForEach-Object -Process { $_['member'] })
        $taken = @(Expand-NodeArchive -LiteralPath $archive -Destination $folder -Member $names)
        $files = [ordered]@{}
        for ($index = 0; $index -lt $members.Count; $index++) {
            $path = $members[$index]['path']
            $files[$path] = Get-NodeDigest -LiteralPath $taken[$index]
            Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $path)
            # Its own folder first: a move within a folder cannot stop halfway.
            Copy-Item -LiteralPath $taken[$index] -Destination "$path.winnode-new" -Force
            Install-NodeFile -LiteralPath "$path.winnode-new" -Destination $path
        }
    } finally {
        Clear-NodePath -LiteralPath $folder
    }
    Write-NodeMemory -Chapter receipts -Id $Step['id'] -Value ([ordered]@{
            url = $Step['url']; sha256 = $digest; files = $files
        })
    Clear-NodePath -LiteralPath $archive
    $false
}

function Backup-NodeArchive {
    # The files before, by their paths.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $before = [ordered]@{}
    foreach ($member in $Step['members']) {
        $before[$member['path']] = Backup-NodePath -LiteralPath $member['path']
    }
    $before
}

function Restore-NodeArchive {
    # Puts the files before back, or takes ours away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($PSCmdlet.ShouldProcess($Step['url'], 'restore files')) {
        foreach ($entry in $Before.GetEnumerator()) {
            Restore-NodePath -LiteralPath $entry.Key -Before $entry.Value
        }
    }
    $false
}

#endregion
#region Kinds: registryValue, pathEntry, pageFile, powerPlan, timeService, bootSetting

function ConvertTo-NodeRegistryKey {
    # HKLM\SOFTWARE\X as a path of PowerShell's drive.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Key)

    $Key -replace '^(HKLM|HKEY_LOCAL_MACHINE):?\\', 'HKLM:\'
}

function ConvertTo-NodeRegistryValue {
    # A value of node.json as the registry's type takes it.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    switch ($Step['type']) {
        # A DWord above 2147483647 is a negative Int32 to .NET.
        'DWord' { [System.BitConverter]::ToInt32([System.BitConverter]::GetBytes([uint32]$Step['value']), 0) }
        'MultiString' { , [string[]]@($Step['value']) }
        default { [string]$Step['value'] }
    }
}

function Test-NodeRegistryValue {
    # True when the value has the right type and data, or no meaning in this build of Windows.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $builds = $Step['builds']
    if ($null -ne $builds) {
        $build = Get-NodeBuild
        if ($build -lt $builds['from'] -or $build -gt $builds['to']) {
            Write-NodeDetail -Text "it has no meaning in build $build"
            return $true
        }
    }
    $key = ConvertTo-NodeRegistryKey -Key $Step['key']
    $found = Get-NodeRegistryData -Key $key -Name $Step['name']
    if ($null -eq $found) {
        Write-NodeDetail -Text 'the value is missing'
        return $false
    }
    $type = "$((Get-Item -LiteralPath $key).GetValueKind($Step['name']))"
    $wanted = ConvertTo-NodeRegistryValue -Step $Step
    $same = $type -eq $Step['type'] -and (@($found) -join "`0") -ceq (@($wanted) -join "`0")
    if (-not $same) {
        Write-NodeDetail -Text "it is $type '$(@($found) -join ', ')', wanted '$(@($wanted) -join ', ')'"
    }
    $same
}

function Set-NodeRegistryValue {
    # Creates or corrects the value.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['key'], "set $($Step['name'])")) { return $false }
    $key = ConvertTo-NodeRegistryKey -Key $Step['key']
    $value = ConvertTo-NodeRegistryValue -Step $Step
    Write-NodeRegistryData -Key $key -Name $Step['name'] -Type $Step['type'] -Value $value
    $Step['restart'] -ceq 'maybe'
}

function Backup-NodeRegistryData {
    # Type and data of a value, or nothing where there is none.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name
    )

    $data = Get-NodeRegistryData -Key $Key -Name $Name
    if ($null -eq $data) { return $null }
    $kind = "$((Get-Item -LiteralPath $Key).GetValueKind($Name))"
    # A list of numbers, because JSON has no bytes.
    if ($data -is [byte[]]) { $data = @($data | ForEach-Object -Process { [int]$_ }) }
    [ordered]@{ type = $kind; data = $data }
}

function Restore-NodeRegistryData {
    # Puts a value back, or takes it away.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Key,
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($null -eq $Before) { Clear-NodeRegistryData -Key $Key -Name $Name; return }
    $data = $Before['data']
    if ($Before['type'] -eq 'Binary') { $data = [byte[]]$data }
    if ($Before['type'] -eq 'MultiString') { $data = [string[]]$data }
    Write-NodeRegistryData -Key $Key -Name $Name -Type $Before['type'] -Value $data
}

function Backup-NodeRegistryValue {
    # The value before.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Backup-NodeRegistryData -Key (ConvertTo-NodeRegistryKey -Key $Step['key']) -Name $Step['name']
}

function Restore-NodeRegistryValue {
    # Puts the value before back, or takes ours away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['key'], "restore $($Step['name'])")) { return $false }
    Restore-NodeRegistryData -Key (ConvertTo-NodeRegistryKey -Key $Step['key']) -Name $Step['name'] -Before $Before
    $Step['restart'] -ceq 'maybe'
}

function Get-NodeMachinePath {
    # The entries of the machine's PATH, with %SystemRoot% and the like as they are written.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    $value = Get-NodeRegistryData -Key "$script:SessionManager\Environment" -Name 'Path'
    "$value".Split(';') | Where-Object -FilterScript { $_ -ne '' }
}

function Write-NodeMachinePath {
    # Writes the machine's PATH and keeps its type. Services see it after a restart of the machine.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyCollection()] [string[]] $Entry)

    Write-NodeRegistryData -Key "$script:SessionManager\Environment" -Name 'Path' -Type 'ExpandString' -Value (
        $Entry -join ';'
    )
}

function Test-NodePathEntry {
    # True when the machine's PATH names the folder.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $entries = @(Get-NodeMachinePath | ForEach-Object -Process { $_.TrimEnd('\') })
    $found = $entries -contains $Step['path'].TrimEnd('\')
    if (-not $found) { Write-NodeDetail -Text 'PATH does not name it' }
    $found
}

function Set-NodePathEntry {
    # Appends the folder to the machine's PATH, and to this process's.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'add to PATH')) { return $false }
    Write-NodeMachinePath -Entry (@(Get-NodeMachinePath) + $Step['path'])
    $env:Path = '{0}{1}{2}' -f $env:Path, [System.IO.Path]::PathSeparator, $Step['path']
    $false
}

function Restore-NodePathEntry {
    # Takes the entry out of the machine's PATH.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'take out of PATH')) { return $false }
    $rest = @(Get-NodeMachinePath | Where-Object -FilterScript { $_.TrimEnd('\') -ne $Step['path'].TrimEnd('\') })
    Write-NodeMachinePath -Entry $rest
    $false
}

function Get-NodePageFileWish {
    # The page file as Windows writes it: path, first size and last size in MiB.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    '{0} {1} {1}' -f $Step['path'], $Step['sizeMiB']
}

function Test-NodePageFile {
    # True when this page file of this size is the only one. '?:\pagefile.sys' is how Windows writes that it
    # chooses itself.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeRegistryData -Key "$script:SessionManager\Memory Management" -Name 'PagingFiles'
    $found = @($found)
    $same = $found.Count -eq 1 -and $found[0] -eq (Get-NodePageFileWish -Step $Step)
    if (-not $same) { Write-NodeDetail -Text "page files: $($found -join ', ')" }
    $same
}

function Set-NodePageFile {
    # Sets it; Windows makes the file when it starts.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'set page file')) { return $false }
    $value = [string[]]@(Get-NodePageFileWish -Step $Step)
    $key = "$script:SessionManager\Memory Management"
    Write-NodeRegistryData -Key $key -Name 'PagingFiles' -Type 'MultiString' -Value $value
    $true
}

function Backup-NodePageFile {
    # The setting before.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    Backup-NodeRegistryData -Key "$script:SessionManager\Memory Management" -Name 'PagingFiles'
}

function Restore-NodePageFile {
    # Puts the setting before back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'restore page file')) { return $false }
    Restore-NodeRegistryData -Key "$script:SessionManager\Memory Management" -Name 'PagingFiles' -Before $Before
    $true
}

function Get-NodePowerPlan {
    # The active plan. powercfg.exe prints it in the language of the machine; the registry does not.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $key = 'HKLM:\SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes'
    "$(Get-NodeRegistryData -Key $key -Name 'ActivePowerScheme')"
}

function Test-NodePowerPlan {
    # True when the plan is active.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodePowerPlan
    if ($found -ne $Step['guid']) { Write-NodeDetail -Text "the plan is $found" }
    $found -eq $Step['guid']
}

function Set-NodePowerPlan {
    # Makes the plan active.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['guid'], 'set power plan')) {
        $null = Invoke-Native -FilePath 'powercfg.exe' -ArgumentList '/setactive', $Step['guid']
    }
    $false
}

function Backup-NodePowerPlan {
    # The plan before.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    [ordered]@{ guid = Get-NodePowerPlan }
}

function Restore-NodePowerPlan {
    # Makes the plan before active again.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if ($Before['guid'] -ne '' -and $PSCmdlet.ShouldProcess($Step['guid'], 'restore power plan')) {
        $null = Invoke-Native -FilePath 'powercfg.exe' -ArgumentList '/setactive', $Before['guid']
    }
    $false
}

function Get-NodeTimeWish {
    # The peers as the time service keeps them; 0x8 makes it a client of each.
    # https://learn.microsoft.com/troubleshoot/windows-server/active-directory/w32time-registry-settings
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    @($Step['servers'] | ForEach-Object -Process { "$_,0x8" }) -join ' '
}

function Test-NodeTimeService {
    # True when the clock follows these servers, and the service starts with Windows and runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $peers = Get-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'NtpServer'
    $type = Get-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'Type'
    $start = Get-NodeRegistryData -Key "$script:Services\W32Time" -Name 'Start'
    $runs = Test-NodeServiceActive -Name 'W32Time'
    $same = $peers -eq (Get-NodeTimeWish -Step $Step) -and $type -eq 'NTP' -and $start -eq 2 -and $runs
    if (-not $same) { Write-NodeDetail -Text "peers '$peers', type $type, start $start, running: $runs" }
    $same
}

function Set-NodeTimeService {
    # Names the servers and starts the service anew.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess('W32Time', 'set time servers')) { return $false }
    $key = "$script:Services\W32Time\Parameters"
    Write-NodeRegistryData -Key $key -Name 'NtpServer' -Type 'String' -Value (Get-NodeTimeWish -Step $Step)
    Write-NodeRegistryData -Key $key -Name 'Type' -Type 'String' -Value 'NTP'
    Set-Service -Name 'W32Time' -StartupType Automatic
    Restart-Service -Name 'W32Time'
    $false
}

function Backup-NodeTimeService {
    # Peers, type and start before.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    [ordered]@{
        peers = Backup-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'NtpServer'
        type  = Backup-NodeRegistryData -Key "$script:Services\W32Time\Parameters" -Name 'Type'
        start = Get-NodeRegistryData -Key "$script:Services\W32Time" -Name 'Start'
        runs  = Test-NodeServiceActive -Name 'W32Time'
    }
}

function Restore-NodeTimeService {
    # Puts peers, type and start back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess("$($Step['servers'])", 'restore time servers')) { return $false }
    $key = "$script:Services\W32Time\Parameters"
    Restore-NodeRegistryData -Key $key -Name 'NtpServer' -Before $Before['peers']
    Restore-NodeRegistryData -Key $key -Name 'Type' -Before $Before['type']
    $start = switch ($Before['start']) { 2 { 'Automatic' } 4 { 'Disabled' } default { 'Manual' } }
    Set-Service -Name 'W32Time' -StartupType $start
    if ($Before['runs']) { Restart-Service -Name 'W32Time' } else { Close-NodeService -Name 'W32Time' }
    $false
}

function Get-NodeBootEntry {
    # Identifier of the entry that Windows starts by default. bcdedit.exe prints in the language of the
    # machine; the store is a hive. https://forensics.wiki/windows_boot_configuration_data/
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $manager = 'HKLM:\BCD00000000\Objects\{9dea862c-5cdd-4e70-acc1-f32b344d4795}\Elements\23000003'
    $entry = Get-NodeRegistryData -Key $manager -Name 'Element'
    if (-not $entry) { throw 'the boot configuration names no default entry' }
    $entry
}

function Get-NodeBootSetting {
    # 'on' or 'off'; a setting that is not there is off.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $element = $script:BootElement[$Step['name']]
    if ($null -eq $element) { throw "unknown boot setting: $($Step['name'])" }
    $key = 'HKLM:\BCD00000000\Objects\{0}\Elements\{1}' -f (Get-NodeBootEntry), $element
    $bytes = Get-NodeRegistryData -Key $key -Name 'Element'
    if ($null -ne $bytes -and $bytes[0] -ne 0) { 'on' } else { 'off' }
}

function Test-NodeBootSetting {
    # True when the boot configuration says so; it counts from the next start.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeBootSetting -Step $Step
    if ($found -ne $Step['value']) { Write-NodeDetail -Text "it is $found" }
    $found -eq $Step['value']
}

function Set-NodeBootSetting {
    # Changes the boot configuration.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], "set to $($Step['value'])")) { return $false }
    $arguments = '/set', (Get-NodeBootEntry), $Step['name'], $Step['value']
    $null = Invoke-Native -FilePath 'bcdedit.exe' -ArgumentList $arguments
    $true
}

function Backup-NodeBootSetting {
    # The setting before.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ value = Get-NodeBootSetting -Step $Step }
}

function Restore-NodeBootSetting {
    # Puts the setting before back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['name'], "restore to $($Before['value'])")) { return $false }
    $arguments = '/set', (Get-NodeBootEntry), $Step['name'], $Before['value']
    $null = Invoke-Native -FilePath 'bcdedit.exe' -ArgumentList $arguments
    $true
}

#endregion
#region Kinds: service, serviceRunning, serviceStart

function Test-NodeService {
    # True when the service manager knows the service as node.json wants it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not (Test-Path -LiteralPath "$script:Services\$name")) {
        Write-NodeDetail -Text 'there is no such service'
        return $false
    }
    $same = $true
    if (1 -eq (Get-NodeRegistryData -Key "$script:Services\$name" -Name 'DeleteFlag')) {
        Write-NodeDetail -Text 'it is marked for deletion'
        $same = $false
    }
    $wish = Get-NodeServiceWish -Step $Step
    $data = Get-NodeServiceData -Name $name -Value $wish.Keys
    foreach ($path in @($wish.Keys)) {
        $found = @($data[$path]) -join "`n"
        $wanted = @($wish[$path]) -join "`n"
        if ($found -cne $wanted) {
            Write-NodeDetail -Text "$path is '$found', wanted '$wanted'"
            $same = $false
        }
    }
    $recovery = Get-NodeRecovery -Name $name
    if ($recovery -cne (Get-NodeRecoveryWish -Step $Step)) {
        Write-NodeDetail -Text "recovery is '$recovery', wanted '$(Get-NodeRecoveryWish -Step $Step)'"
        $same = $false
    }
    $same
}

function Set-NodeService {
    # Makes or corrects the service; one that runs stops first and starts when the run ends. True when an
    # earlier service of this name goes only with a restart.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if ($Step['scm'] -ceq 'wrapped' -and -not $Step['wrapper']) { throw "$name has no wrapper to run under" }
    if (-not $PSCmdlet.ShouldProcess($name, 'register service')) { return $false }
    Suspend-NodeService -Name $name
    $key = "$script:Services\$name"
    if (1 -eq (Get-NodeRegistryData -Key $key -Name 'DeleteFlag')) {
        # It goes when the last program closes its handle: a console of services, say.
        $gone = Wait-NodeCondition -Seconds 10 -Condition { -not (Test-Path -LiteralPath $key) }
        if (-not $gone) {
            Write-NodeDetail -Text 'it is marked for deletion and goes with a restart'
            return $true
        }
    }
    Write-NodeService -Name $name -Wish (Get-NodeServiceWish -Step $Step)
    Write-NodeRecovery -Step $Step
    $false
}

function Backup-NodeService {
    # What the registry said of the service before, or nothing where there was none.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $name = $Step['name']
    if (-not (Test-Path -LiteralPath "$script:Services\$name")) { return $null }
    $values = 'DisplayName', 'Description', 'Start', 'DependOnService', 'Environment', 'ImagePath'
    Get-NodeServiceData -Name $name -Value $values
}

function Restore-NodeService {
    # Gives an earlier service its settings back, or deletes ours; true when it goes only with a restart.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    $name = $Step['name']
    if (-not $PSCmdlet.ShouldProcess($name, 'restore service')) { return $false }
    if ($null -eq $Before) { return Unregister-NodeService -Name $name }
    Close-NodeService -Name $name
    foreach ($path in 'DependOnService', 'Environment') { if ($null -eq $Before[$path]) { $Before[$path] = @() } }
    foreach ($path in 'DisplayName', 'Description') { if ($null -eq $Before[$path]) { $Before[$path] = '' } }
    Write-NodeService -Name $name -Wish $Before
    $false
}

function Test-NodeServiceRunning {
    # True when the service runs.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $runs = Test-NodeServiceActive -Name $Step['name']
    if (-not $runs) { Write-NodeDetail -Text 'it does not run' }
    $runs
}

function Set-NodeServiceRunning {
    # Starts the service.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['name'], 'start service')) {
        Open-NodeService -Name $Step['name'] -Seconds $Step['timeout']
    }
    $false
}

function Test-NodeServiceStart {
    # True when the service starts with Windows, or on demand, as wanted.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = Get-NodeRegistryData -Key "$script:Services\$($Step['name'])" -Name 'Start'
    $wanted = if ($Step['start'] -ceq 'auto') { 2 } else { 3 }
    if ($found -ne $wanted) { Write-NodeDetail -Text "Start is $found, wanted $wanted" }
    $found -eq $wanted
}

function Set-NodeServiceStart {
    # Changes how the service starts.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['name'], "start $($Step['start'])")) {
        $mode = if ($Step['start'] -ceq 'auto') { 'Automatic' } else { 'Manual' }
        Edit-NodeServiceControl -Name $Step['name'] -Change @{ StartMode = $mode }
    }
    $false
}

function Backup-NodeServiceStart {
    # How it started before.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{ start = Get-NodeRegistryData -Key "$script:Services\$($Step['name'])" -Name 'Start' }
}

function Restore-NodeServiceStart {
    # Lets it start as before, if it is still there.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not (Test-Path -LiteralPath "$script:Services\$($Step['name'])")) { return $false }
    if ($PSCmdlet.ShouldProcess($Step['name'], 'restore start')) {
        $mode = switch ($Before['start']) { 2 { 'Automatic' } 4 { 'Disabled' } default { 'Manual' } }
        Edit-NodeServiceControl -Name $Step['name'] -Change @{ StartMode = $mode }
    }
    $false
}

#endregion
#region Kinds: firewallRule, defenderExclusion

function Get-NodeFirewallRule {
    # A rule in the words of a step, or nothing where there is none.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $rule = Get-NetFirewallRule -Name $Name -ErrorAction SilentlyContinue
    if ($null -eq $rule) { return }
    $port = $rule | Get-NetFirewallPortFilter
    $address = $rule | Get-NetFirewallAddressFilter
    [ordered]@{
        displayName = "$($rule.DisplayName)"
        group       = "$($rule.Group)"
        protocol    = "$($port.Protocol)"
        ports       = @($port.LocalPort) -join ','
        from        = @($address.RemoteAddress | Where-Object -FilterScript { $_ -ne 'Any' } |
                ForEach-Object -Process { ConvertTo-NodeCidr -Address "$_" } | Sort-Object)
        enabled     = "$($rule.Enabled)"
        direction   = "$($rule.Direction)"
        action      = "$($rule.Action)"
    }
}

function Get-NodeFirewallWish {
    # The same for a step.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    [ordered]@{
        displayName = $Step['displayName']
        group       = $Step['group']
        protocol    = $Step['protocol']
        ports       = $Step['ports']
        from        = @($Step['from'] | ForEach-Object -Process { ConvertTo-NodeCidr -Address $_ } | Sort-Object)
        enabled     = 'True'
        direction   = 'Inbound'
        action      = 'Allow'
    }
}

function ConvertTo-NodeCidr {
    # 10.0.0.0/255.0.0.0, as the firewall gives subnets back, as 10.0.0.0/8; one address without its length.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Address)

    if ($Address -match '^([0-9.]+)/(\d+(?:\.\d+){3})$') {
        $bits = [System.Convert]::ToString((Get-NodeAddressNumber -Address $Matches[2]), 2).TrimEnd('0').Length
        return ConvertTo-NodeCidr -Address "$($Matches[1])/$bits"
    }
    if ($Address -match '^[0-9.]+/\d+$') { return (ConvertTo-NodeSubnet -Prefix $Address) -replace '/32$' }
    $Address.ToLowerInvariant() -replace '/128$'
}

function Test-NodeFirewallRule {
    # True when the rule is there, on, and lets in what it should.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $rule = Get-NodeFirewallRule -Name $Step['name']
    if ($null -eq $rule) {
        Write-NodeDetail -Text 'there is no such rule'
        return $false
    }
    $wish = Get-NodeFirewallWish -Step $Step
    $same = $true
    foreach ($field in @($wish.Keys)) {
        $found = @($rule[$field]) -join ','
        $wanted = @($wish[$field]) -join ','
        if ($found -ne $wanted) {
            Write-NodeDetail -Text "$field is '$found', wanted '$wanted'"
            $same = $false
        }
    }
    $same
}

function Write-NodeFirewallRule {
    # Makes a rule anew: New-NetFirewallRule fails where the name is taken.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Name,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish
    )

    if ($null -ne (Get-NodeFirewallRule -Name $Name)) { Remove-NetFirewallRule -Name $Name }
    $rule = @{
        Name          = $Name
        DisplayName   = $Wish['displayName']
        Direction     = $Wish['direction']
        Action        = $Wish['action']
        Enabled       = $Wish['enabled']
        Protocol      = $Wish['protocol']
        LocalPort     = [string[]]$Wish['ports'].Split(',')
        RemoteAddress = [string[]]@(if (@($Wish['from']).Count -gt 0) { $Wish['from'] } else { 'Any' })
    }
    if ($Wish['group'] -ne '') { $rule['Group'] = $Wish['group'] }
    $null = New-NetFirewallRule @rule
}

function Set-NodeFirewallRule {
    # Makes or corrects the rule.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['name'], 'make firewall rule')) {
        Write-NodeFirewallRule -Name $Step['name'] -Wish (Get-NodeFirewallWish -Step $Step)
    }
    $false
}

function Backup-NodeFirewallRule {
    # The rule before, or nothing where there was none.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Get-NodeFirewallRule -Name $Step['name']
}

function Restore-NodeFirewallRule {
    # Makes the rule before again, or takes ours away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowNull()] [object] $Before
    )

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'restore firewall rule')) { return $false }
    if ($null -ne $Before) {
        Write-NodeFirewallRule -Name $Step['name'] -Wish $Before
    } elseif ($null -ne (Get-NodeFirewallRule -Name $Step['name'])) {
        Remove-NetFirewallRule -Name $Step['name']
    }
    $false
}

function Get-NodeDefender {
    # Defender's settings, or nothing where it is absent or off. Both are ordinary: other scanners take its
    # place, and Server can do without.
    [CmdletBinding()]
    [OutputType([object])]
    param()

    if ($null -eq (Get-Command -Name 'Get-MpPreference' -ErrorAction SilentlyContinue)) { return }
    try {
        Get-MpPreference
    } catch {
        Write-NodeLog -Level warn -Step '' -Message "Defender does not answer: $($_.Exception.Message)"
    }
}

function Test-NodeDefenderExclusion {
    # True when Defender leaves the program alone, or is not there.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $defender = Get-NodeDefender
    if ($null -eq $defender) {
        Write-NodeDetail -Text 'Microsoft Defender is not at work here'
        return $true
    }
    $found = @($defender.ExclusionProcess) -contains $Step['process']
    if (-not $found) { Write-NodeDetail -Text 'it is not excluded' }
    $found
}

function Set-NodeDefenderExclusion {
    # Excludes the program.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['process'], 'exclude from Defender')) {
        Add-MpPreference -ExclusionProcess $Step['process']
    }
    $false
}

function Restore-NodeDefenderExclusion {
    # Takes the exclusion away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($null -ne (Get-NodeDefender) -and $PSCmdlet.ShouldProcess($Step['process'], 'include in Defender')) {
        Remove-MpPreference -ExclusionProcess $Step['process']
    }
    $false
}

#endregion
#region Kinds: bootTask, logRotation

function Get-NodeTaskWish {
    # The tasks of a step: one at each start; one every hour where a log needs rotating.
    [CmdletBinding()]
    [OutputType([object[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $call = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File "{0}\Install-WinNode.ps1" -Phase {1}'
    [ordered]@{
        name        = $Step['name']
        description = $Step['description']
        arguments   = $call -f $Step['path'], 'boot'
        trigger     = 'start'
    }
    if (@(Get-NodeLogStep).Count -eq 0) { return }
    [ordered]@{
        name        = '{0}-logs' -f $Step['name']
        description = 'Rotates logs that nothing else rotates, managed by winnode.'
        arguments   = $call -f $Step['path'], 'logs'
        trigger     = 'hour'
    }
}

function Get-NodeLogStep {
    # The steps that have a log for us to rotate or to thin out.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $script:Run.Document['steps'] | Where-Object -FilterScript {
        $_['kind'] -ceq 'logRotation' -or ($_['kind'] -ceq 'service' -and $null -ne $_['log'])
    }
}

function Get-NodeShell {
    # Windows PowerShell, by its whole path.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    '{0}\System32\WindowsPowerShell\v1.0\powershell.exe' -f $env:SystemRoot
}

function Get-NodeBundleFile {
    # Paths of the files of this bundle that the node needs again.
    [CmdletBinding()]
    [OutputType([string[]])]
    param()

    'node.json'
    'WinNode.psm1'
    'Install-WinNode.ps1', 'Join-WinNode.ps1', 'Test-WinNode.ps1', 'Reset-WinNode.ps1', 'Export-WinNodeReport.ps1'
    $script:Run.Document['steps'] | Where-Object -FilterScript { $null -ne $_['source'] } |
        ForEach-Object -Process { $_['source'] } | Select-Object -Unique
}

function Test-NodeTask {
    # True when a task runs our script as SYSTEM, when it should.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish)

    $task = Get-ScheduledTask -TaskName $Wish['name'] -TaskPath '\' -ErrorAction SilentlyContinue
    if ($null -eq $task) {
        Write-NodeDetail -Text "there is no task $($Wish['name'])"
        return $false
    }
    $found = @(
        @($task.Actions | ForEach-Object -Process { $_.Execute, $_.Arguments })
        $task.Description, $task.Principal.LogonType, $task.Principal.RunLevel, @($task.Triggers).Count
    ) -join "`n"
    $wanted = @(
        (Get-NodeShell), $Wish['arguments']
        $Wish['description'], 'ServiceAccount', 'Highest', 1
    ) -join "`n"
    $same = $found -eq $wanted -and "$($task.State)" -ne 'Disabled'
    if (-not $same) { Write-NodeDetail -Text "the task $($Wish['name']) is another" }
    $same
}

function Test-NodeBootTask {
    # True when the copy of the bundle is whole and the tasks run it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $same = $true
    foreach ($file in Get-NodeBundleFile) {
        $digest = Get-NodeDigest -LiteralPath (Join-Path -Path $script:Run.Bundle -ChildPath $file)
        $copy = '{0}\{1}' -f $Step['path'], $file.Replace('/', '\')
        if (-not (Test-NodeContent -LiteralPath $copy -Sha256 $digest)) { $same = $false }
    }
    foreach ($wish in @(Get-NodeTaskWish -Step $Step)) { $same = (Test-NodeTask -Wish $wish) -and $same }
    $same
}

function Set-NodeBootTask {
    # Copies the bundle and registers the tasks. A copy that runs itself is not copied.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'register task')) { return $false }
    foreach ($file in Get-NodeBundleFile) {
        $source = Join-Path -Path $script:Run.Bundle -ChildPath $file
        $copy = '{0}\{1}' -f $Step['path'], $file.Replace('/', '\')
        if ((Get-NodeDigest -LiteralPath $source) -ceq (Get-NodeDigest -LiteralPath $copy)) { continue }
        Initialize-NodeFolder -LiteralPath (Get-NodeParent -LiteralPath $copy)
        Copy-Item -LiteralPath $source -Destination "$copy.winnode-new" -Force
        Move-NodeFile -LiteralPath "$copy.winnode-new" -Destination $copy
    }
    foreach ($wish in @(Get-NodeTaskWish -Step $Step)) { Register-NodeTask -Wish $wish }
    $false
}

function Register-NodeTask {
    # Registers a task, in place of an earlier one of its name.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Wish)

    $trigger = if ($Wish['trigger'] -eq 'start') {
        New-ScheduledTaskTrigger -AtStartup
    } else {
        $since = New-Object -TypeName System.DateTime -ArgumentList 2000, 1, 1
        New-ScheduledTaskTrigger -Once -At $since -RepetitionInterval (New-TimeSpan -Hours 1)
    }
    # What a start needs may come late, a network card for one: three more attempts, a minute apart.
    $settings = @{
        RestartCount       = 3
        RestartInterval    = New-TimeSpan -Minutes 1
        ExecutionTimeLimit = New-TimeSpan -Minutes 30
        MultipleInstances  = 'IgnoreNew'
    }
    $task = @{
        TaskName    = $Wish['name']
        TaskPath    = '\'
        Description = $Wish['description']
        Action      = New-ScheduledTaskAction -Execute (Get-NodeShell) -Argument $Wish['arguments']
        Trigger     = $trigger
        Principal   = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount -RunLevel Highest
        Settings    = New-ScheduledTaskSettingsSet @settings
        Force       = $true
    }
    $null = Register-ScheduledTask @task
}

function Restore-NodeBootTask {
    # Takes the tasks and the copy away; a copy that is running this stays until the next Reset.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'take task away')) { return $false }
    foreach ($wish in @(Get-NodeTaskWish -Step $Step)) {
        $task = Get-ScheduledTask -TaskName $wish['name'] -TaskPath '\' -ErrorAction SilentlyContinue
        if ($null -ne $task) { Unregister-ScheduledTask -TaskName $wish['name'] -TaskPath '\' -Confirm:$false }
    }
    if ((Resolve-NodePath -LiteralPath $Step['path']).TrimEnd('\', '/') -eq $script:Run.Bundle.TrimEnd('\', '/')) {
        Write-NodeDetail -Text "kept: $($Step['path']) is the bundle of this run"
    } else {
        Clear-NodePath -LiteralPath $Step['path']
    }
    $false
}

function Test-NodeLogRotation {
    # True when the log is not larger than it may be, and no more old ones lie beside it than may.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $Step['path']
    if (-not (Test-Path -LiteralPath $path)) { return $true }
    $size = (Get-Item -LiteralPath $path).Length
    $tooLarge = $size -gt $Step['maxSizeMiB'] * 1MB
    $tooMany = Test-Path -LiteralPath "$path.$($Step['maxFiles'] + 1)"
    if ($tooLarge -or $tooMany) { Write-NodeDetail -Text "it has $size bytes" }
    -not ($tooLarge -or $tooMany)
}

function Set-NodeLogRotation {
    # Copies the log aside and empties it: its writer keeps it open, so it cannot be renamed. What is written
    # between the two is lost.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $path = $Step['path']
    if (-not $PSCmdlet.ShouldProcess($path, 'rotate log')) { return $false }
    $kept = [int]$Step['maxFiles']
    for ($index = $kept + 1; Test-Path -LiteralPath "$path.$index"; $index++) {
        Clear-NodePath -LiteralPath "$path.$index"
    }
    if ((Get-Item -LiteralPath $path).Length -le $Step['maxSizeMiB'] * 1MB) { return $false }
    Clear-NodePath -LiteralPath "$path.$kept"
    for ($index = $kept - 1; $index -ge 1; $index--) {
        if (Test-Path -LiteralPath "$path.$index") {
            Move-NodeFile -LiteralPath "$path.$index" -Destination "$path.$($index + 1)"
        }
    }
    $log = [System.IO.File]::Open((Resolve-NodePath -LiteralPath $path), 'Open', 'ReadWrite', 'ReadWrite')
    try {
        $copy = [System.IO.File]::Create((Resolve-NodePath -LiteralPath "$path.1"))
        try { $log.CopyTo($copy) } finally { $copy.Dispose() }
        $log.SetLength(0)
    } finally {
        $log.Dispose()
    }
    $false
}

function Limit-NodeServiceLog {
    # Takes the oldest logs away that nssm rotated: it keeps all of them, named after the time.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Log)

    $folder = Get-NodeParent -LiteralPath $Log['path']
    if (-not (Test-Path -LiteralPath $folder)) { return }
    $name = $Log['path'].Substring($folder.Length).TrimStart('\')
    $base = [regex]::Escape($name.Substring(0, $name.LastIndexOf('.')))
    $rotated = @(Get-ChildItem -LiteralPath $folder -File | Where-Object -FilterScript {
            $_.Name -match "^$base-\d{8}T\d{6}"
        } | Sort-Object -Property Name -Descending)
    foreach ($file in @($rotated | Select-Object -Skip $Log['maxFiles'])) {
        Clear-NodePath -LiteralPath "$folder\$($file.Name)"
    }
}

#endregion
#region Kinds: hnsNetwork, addressReservation, hostEndpoint, imagePull

function Get-NodeHnsNetwork {
    # A network of the host networking service, or nothing: before the feature Containers is active there is
    # not even the command.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if ($null -eq (Get-Command -Name 'Get-HnsNetwork' -ErrorAction SilentlyContinue)) { return }
    Get-HnsNetwork | Where-Object -FilterScript { $_.Name -ceq $Name } | Select-Object -First 1
}

function Test-NodeHnsNetwork {
    # True when the network is there, of the right type.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -eq $network) {
        Write-NodeDetail -Text "there is no HNS network $($Step['name'])"
        return $false
    }
    $same = "$($network.Type)" -eq $Step['type']
    if (-not $same) { Write-NodeDetail -Text "the network is $($network.Type), wanted $($Step['type'])" }
    $same
}

function Set-NodeHnsNetwork {
    # Waits for the network plugin to make it; true when only a restart brings the networking service.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['name'], 'wait for network')) { return $false }
    if ($null -eq (Get-Command -Name 'Get-HnsNetwork' -ErrorAction SilentlyContinue)) {
        Write-NodeDetail -Text 'the feature Containers is not active yet'
        return $true
    }
    $found = Wait-NodeCondition -Seconds $Step['timeout'] -Condition {
        $null -ne (Get-NodeHnsNetwork -Name $Step['name'])
    }
    if (-not $found) { throw "the HNS network $($Step['name']) did not appear in $($Step['timeout']) s" }
    $false
}

function Restore-NodeHnsNetwork {
    # Takes away what hangs on the network, then the network. The services that made it have stopped by now.
    # https://github.com/microsoft/SDN/tree/master/Kubernetes/windows
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $network = Get-NodeHnsNetwork -Name $Step['name']
    if ($null -eq $network -or -not $PSCmdlet.ShouldProcess($Step['name'], 'remove network')) { return $false }
    # Load balancers are kube-proxy's alone.
    Get-HnsPolicyList | Remove-HnsPolicyList
    Get-HnsEndpoint | Where-Object -FilterScript { $_.VirtualNetwork -eq $network.ID } | Remove-HnsEndpoint
    $network | Remove-HnsNetwork
    $false
}

function Get-NodeStore {
    # The folder in which the plugin host-local keeps one file for each address; the conf's name is its key.
    # https://github.com/containernetworking/plugins/blob/main/plugins/ipam/host-local/backend/disk/backend.go
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    '{0}\{1}' -f $Step['dataDirectory'], $Step['network']
}

function Get-NodeReservation {
    # Addresses that the store keeps for the container id of a step.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $store = Get-NodeStore -Step $Step
    if (-not (Test-Path -LiteralPath $store)) { return }
    foreach ($file in @(Get-ChildItem -LiteralPath $store -File | Sort-Object -Property Name)) {
        if ($file.Name -notmatch '^\d{1,3}(\.\d{1,3}){3}$') { continue }
        $owner = (Read-NodeText -LiteralPath "$store\$($file.Name)") -split '\r?\n'
        if ($owner[0].Trim() -ceq $Step['containerId']) { $file.Name }
    }
}

function Test-NodeAddressReservation {
    # True when exactly one address of the present pod subnet is kept.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $addresses = @(Get-NodeReservation -Step $Step)
    try {
        $subnet = Get-NodeFact -Name 'podSubnet'
    } catch {
        Write-NodeDetail -Text $_.Exception.Message
        return $false
    }
    $same = $addresses.Count -eq 1 -and (Test-NodeSubnetMember -Subnet $subnet -Address $addresses[0])
    if (-not $same) { Write-NodeDetail -Text "kept: '$($addresses -join ', ')' of $subnet" }
    $same
}

function Set-NodeAddressReservation {
    # Lets the plugin's own program keep an address. It takes another one each time it is asked, so what
    # belongs to an earlier subnet goes first.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'reserve address')) { return $false }
    $subnet = Get-NodeFact -Name 'podSubnet'
    Clear-NodeReservation -Step $Step
    $conf = [ordered]@{
        cniVersion = '1.0.0'
        name       = $Step['network']
        ipam       = [ordered]@{
            type    = 'host-local'
            ranges  = @(, @([ordered]@{ subnet = $subnet }))
            dataDir = $Step['dataDirectory']
        }
    }
    $call = [ordered]@{
        CNI_COMMAND     = 'ADD'
        CNI_CONTAINERID = $Step['containerId']
        CNI_NETNS       = 'none'
        CNI_IFNAME      = 'source-vip'
        CNI_PATH        = Get-NodeParent -LiteralPath $Step['hostLocal']
    }
    try {
        foreach ($name in @($call.Keys)) { Set-Item -Path "Env:$name" -Value $call[$name] }
        $null = Invoke-Native -FilePath $Step['hostLocal'] -InputText (ConvertTo-NodeJson -InputObject $conf)
    } finally {
        foreach ($name in @($call.Keys)) { Remove-Item -Path "Env:$name" -ErrorAction SilentlyContinue }
    }
    $false
}

function Clear-NodeReservation {
    # Gives back what the store keeps for a step.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    foreach ($address in @(Get-NodeReservation -Step $Step)) {
        Clear-NodePath -LiteralPath ('{0}\{1}' -f (Get-NodeStore -Step $Step), $address)
    }
}

function Restore-NodeAddressReservation {
    # Gives the address back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['network'], 'give address back')) { Clear-NodeReservation -Step $Step }
    $false
}

function Get-NodeHostAddress {
    # The address that a step keeps, by its place in the pod subnet.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $first = (Get-NodeFact -Name 'podSubnet').Split('/')[0]
    ConvertTo-NodeAddressText -Number ((Get-NodeAddressNumber -Address $first) + $Step['offset'])
}

function Test-NodeHostEndpoint {
    # True when the address is kept for the host, and no other one is.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $addresses = @(Get-NodeReservation -Step $Step)
    try {
        $wanted = Get-NodeHostAddress -Step $Step
    } catch {
        Write-NodeDetail -Text $_.Exception.Message
        return $false
    }
    $same = $addresses.Count -eq 1 -and $addresses[0] -ceq $wanted
    if (-not $same) { Write-NodeDetail -Text "kept: '$($addresses -join ', ')', wanted $wanted" }
    $same
}

function Set-NodeHostEndpoint {
    # Keeps the address in the way of host-local, which cannot be asked for a certain one.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['network'], 'reserve address')) { return $false }
    $address = Get-NodeHostAddress -Step $Step
    $store = Get-NodeStore -Step $Step
    Clear-NodeReservation -Step $Step
    Initialize-NodeFolder -LiteralPath $store
    if (Test-Path -LiteralPath "$store\$address") { throw "$address belongs to a pod already" }
    $text = "{0}`r`nhost" -f $Step['containerId']
    [System.IO.File]::WriteAllText((Resolve-NodePath -LiteralPath "$store\$address"), $text)
    $false
}

function Restore-NodeHostEndpoint {
    # Gives the address back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['network'], 'give address back')) { Clear-NodeReservation -Step $Step }
    $false
}

function Test-NodeImagePull {
    # True when containerd has the image, by its tag or, where it names one, by its digest.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $wanted = $Step['image']
    # containerd keeps name:tag@digest as name@digest.
    if ($wanted.Contains('@')) { $wanted = $wanted -replace ':[^:/@]+@', '@' }
    $text = Invoke-NodeCrictl -Program $Step['crictl'] -ArgumentList 'images', '-o', 'json'
    foreach ($image in (ConvertFrom-NodeJson -Text $text)['images']) {
        if ((@($image['repoTags']) + @($image['repoDigests'])) -ccontains $wanted) { return $true }
    }
    Write-NodeDetail -Text 'containerd does not have it'
    $false
}

function Set-NodeImagePull {
    # Pulls the image, a few times where the registry does not answer.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['image'], 'pull')) { return $false }
    for ($attempt = 1; ; $attempt++) {
        try {
            $null = Invoke-NodeCrictl -Program $Step['crictl'] -ArgumentList 'pull', $Step['image']
            return $false
        } catch {
            $problem = $_
            if ($attempt -ge $script:Limit.Attempts) { throw $problem }
            $message = "attempt ${attempt}: $($problem.Exception.Message)"
            Write-NodeLog -Level warn -Step $Step['id'] -Message $message
            Start-Sleep -Seconds ([math]::Pow(2, $attempt - 1))
        }
    }
}

#endregion
#region Kinds: kubeadmJoin, bootstrapJoin

function Test-NodeMembership {
    # True when the kubelet has its own credentials, and nothing that served to get them is left.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Kubeconfig,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string[]] $Leftover
    )

    $same = Test-Path -LiteralPath $Kubeconfig
    if (-not $same) { Write-NodeDetail -Text "there is no $Kubeconfig" }
    foreach ($path in $Leftover) {
        if ($path -ne '' -and (Test-Path -LiteralPath $path)) {
            Write-NodeDetail -Text "$path is still there"
            $same = $false
        }
    }
    $same
}

function Test-NodeKubeadmJoin {
    # True when the machine is a member, and token and bootstrap credentials are gone.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeMembership -Kubeconfig $Step['kubeconfig'] -Leftover @(Get-NodeJoinLeftover -Step $Step)
}

function Get-NodeJoinLeftover {
    # Files with credentials that must not outlive a join.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    "$($Step['path'])"
    "$($Step['bootstrapKubeconfig'])"
    "$($Step['tokenFile'])"
}

function Set-NodeKubeadmJoin {
    # Joins, if the machine is no member yet, and takes away what served for it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($script:Run.Document['name'], 'join with kubeadm')) { return $false }
    if (-not (Test-Path -LiteralPath $Step['kubeconfig'])) {
        Clear-NodePartialJoin -Step $Step
        Invoke-NodeKubeadm -Step $Step
    }
    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        foreach ($path in Get-NodeJoinLeftover -Step $Step) { Clear-NodePath -LiteralPath $path }
    }
    $false
}

function Get-NodeJoinText {
    # The JoinConfiguration with this node's facts and the token in it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $token = Get-NodeToken -Step $Step
    if ($token -eq '') { throw 'there is no token to join with' }
    $document = ConvertFrom-NodeJson -Text (Get-NodeDerivedText -Step $Step)
    Edit-NodeJson -Document $document -Pointer $Step['tokenPointer'] -Value $token
    (ConvertTo-NodeJson -InputObject $document) + "`n"
}

function Get-NodeToken {
    # The bootstrap token: the caller's, or that of the file that node.json names. Empty where there is none.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($script:Run.Token -ne '') { return $script:Run.Token }
    if ($null -eq $Step['tokenFile'] -or -not (Test-Path -LiteralPath $Step['tokenFile'])) { return '' }
    $token = (Read-NodeText -LiteralPath $Step['tokenFile']).Trim()
    if ($token -ne '') { $script:Run.Secrets += $token }
    $token
}

function Invoke-NodeKubeadm {
    # Runs kubeadm over a file that holds the token. kubeadm takes no token beside a configuration, and its
    # own paths have no drive: C:\ must be the current folder.
    # https://github.com/kubernetes/kubeadm/issues/1341
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    try {
        Write-NodeSecret -LiteralPath $Step['path'] -Text (Get-NodeJoinText -Step $Step)
        Push-Location -LiteralPath 'C:\'
        try {
            $lines = Invoke-Native -FilePath $Step['kubeadm'] -ArgumentList 'join', '--config', $Step['path']
        } finally {
            Pop-Location
        }
    } finally {
        Clear-NodePath -LiteralPath $Step['path']
    }
    foreach ($line in $lines) { Write-NodeLog -Level info -Step $Step['id'] -Message $line }
}

function Get-NodeJoinTrace {
    # Files that kubeadm leaves when it is cut off, and that stop it the next time.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $Step['bootstrapKubeconfig']
    $folder = Get-NodeParent -LiteralPath $Step['kubeconfig']
    $ca = "$folder\pki\ca.crt"
    # Where a file of the bundle goes there it is not kubeadm's.
    $ours = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['path'] -eq $ca })
    if ($ours.Count -eq 0) { $ca }
}

function Backup-NodeKubeadmJoin {
    # Which of kubeadm's files were there before it ran.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $there = @(Get-NodeJoinTrace -Step $Step | Where-Object -FilterScript { Test-Path -LiteralPath $_ })
    [ordered]@{ there = $there }
}

function Clear-NodePartialJoin {
    # Takes away what a join that was cut off left, so that kubeadm starts anew: it refuses where its files
    # are there, and where the kubelet holds its port.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Close-NodeService -Name 'kubelet'
    $before = Get-NodeMemory -Chapter before -Id $Step['id']
    foreach ($path in Get-NodeJoinTrace -Step $Step) {
        if ($null -ne $before -and @($before['there']) -notcontains $path) { Clear-NodePath -LiteralPath $path }
    }
}

function Restore-NodeKubeadmJoin {
    # Takes the node's credentials away. The Node object stays: only the cluster's side may delete it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['kubeconfig'], 'remove credentials')) { return $false }
    Clear-NodeCredential -Step $Step
    $before = Get-NodeMemory -Chapter before -Id $Step['id']
    if ($null -ne $before) {
        foreach ($path in Get-NodeJoinTrace -Step $Step) {
            if (@($before['there']) -notcontains $path) { Clear-NodePath -LiteralPath $path }
        }
    }
    $false
}

function Clear-NodeCredential {
    # Takes the kubelet's kubeconfig away, and the client certificates to which it leads.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        $text = Read-NodeText -LiteralPath $Step['kubeconfig']
        $line = [regex]::Match($text, '(?m)^\s*client-certificate:\s*["'']?(?<path>[^"''\r\n]+?)["'']?\s*$')
        if ($line.Success) {
            $folder = Get-NodeParent -LiteralPath $line.Groups['path'].Value
            if (Test-Path -LiteralPath $folder) {
                foreach ($file in @(Get-ChildItem -LiteralPath $folder -Filter 'kubelet*')) {
                    Clear-NodePath -LiteralPath "$folder\$($file.Name)"
                }
            }
        }
    }
    Clear-NodePath -LiteralPath $Step['kubeconfig']
    foreach ($path in Get-NodeJoinLeftover -Step $Step) { Clear-NodePath -LiteralPath $path }
}

function Test-NodeBootstrapJoin {
    # True when the machine is a member, and the bootstrap credentials are gone.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    Test-NodeMembership -Kubeconfig $Step['kubeconfig'] -Leftover $Step['bootstrapKubeconfig']
}

function Set-NodeBootstrapJoin {
    # Lets the kubelet join by itself with the bootstrap kubeconfig that lies there, and takes that away.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($script:Run.Document['name'], 'join')) { return $false }
    if (-not (Test-Path -LiteralPath $Step['kubeconfig'])) {
        foreach ($path in $Step['ca'], $Step['bootstrapKubeconfig']) {
            if (-not (Test-Path -LiteralPath $path)) { throw "there is no $path to join with" }
        }
        Protect-NodePath -LiteralPath $Step['bootstrapKubeconfig'] -Sddl $script:ProtectedFile
        Open-NodeService -Name 'kubelet' -Seconds $script:Limit.ServiceSeconds
        $joined = Wait-NodeCondition -Seconds $Step['timeout'] -Condition {
            Test-Path -LiteralPath $Step['kubeconfig']
        }
        if (-not $joined) { throw "the kubelet has no credentials after $($Step['timeout']) s; see its log" }
    }
    Clear-NodePath -LiteralPath $Step['bootstrapKubeconfig']
    $false
}

function Restore-NodeBootstrapJoin {
    # Takes the node's credentials away. The Node object stays: only the cluster's side may delete it.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($PSCmdlet.ShouldProcess($Step['kubeconfig'], 'remove credentials')) { Clear-NodeCredential -Step $Step }
    $false
}

#endregion
#region Preflight checks

function Get-NodeBuild {
    # The build of Windows: 17763, 20348, 26100.
    [CmdletBinding()]
    [OutputType([int])]
    param()

    [int](Get-NodeRegistryData -Key $script:WindowsVersion -Name 'CurrentBuildNumber')
}

function Get-NodeRevision {
    # The patch level of the build.
    [CmdletBinding()]
    [OutputType([int])]
    param()

    [int](Get-NodeRegistryData -Key $script:WindowsVersion -Name 'UBR')
}

function Test-NodeAdministrator {
    # Whether this process has the rights of an administrator, not only his name: a high integrity level, or
    # that of SYSTEM. https://learn.microsoft.com/windows/win32/secauthz/well-known-sids
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $groups = @(Invoke-Native -FilePath 'whoami.exe' -ArgumentList '/groups', '/fo', 'csv', '/nh')
    $high = @($groups -match 'S-1-16-(12288|16384)').Count -gt 0
    Write-NodeDetail -Text $(if ($high) { 'runs as an administrator' } else { 'does not run as an administrator' })
    $high
}

function Test-NodeLanguageMode {
    # Whether PowerShell may call .NET; under a policy of application control it may not.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $mode = "$($ExecutionContext.SessionState.LanguageMode)"
    Write-NodeDetail -Text "the language mode is $mode"
    $mode -eq 'FullLanguage'
}

function Test-NodeWindowsServer {
    # Whether this is Windows Server.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $type = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'InstallationType')"
    Write-NodeDetail -Text "the installation type is '$type'"
    $type -in 'Server', 'Server Core'
}

function Test-NodeWindowsBuild {
    # Whether this is the build that the bundle was made for.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $build = Get-NodeBuild
    $wanted = "$($Need['name']) ($($Need['build']))".Trim()
    Write-NodeDetail -Text "Windows has build $build; the bundle is for $wanted"
    $build -eq $Need['build']
}

function Test-NodeRevisionNotBetween {
    # Whether the patch level is outside a range that is known to be bad.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $revision = Get-NodeRevision
    $bad = $revision -ge $Need['from'] -and $revision -lt $Need['below']
    $why = if ($bad) { ": $($Need['effect']); $($Need['fix'])" } else { '' }
    Write-NodeDetail -Text "Windows has revision $revision$why"
    -not $bad
}

function Test-NodeRevisionAtLeast {
    # Whether the patch level is new enough.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $revision = Get-NodeRevision
    Write-NodeDetail -Text "Windows has revision $revision, wanted $($Need['revision']) or later"
    $revision -ge $Need['revision']
}

function Test-NodeFreeDisk {
    # Whether the system drive has room.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $disk = Get-CimInstance -ClassName Win32_LogicalDisk -Filter "DeviceID='C:'"
    $free = [math]::Floor($disk.FreeSpace / 1GB)
    Write-NodeDetail -Text "C: has $free GiB free, wanted $($Need['gib'])"
    $free -ge $Need['gib']
}

function Test-NodeSystemDrive {
    # Whether Windows lies on C:, where all paths of Kubernetes point.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    Write-NodeDetail -Text "the system drive is $env:SystemDrive"
    $env:SystemDrive -eq 'C:'
}

function Test-NodeName {
    # Whether the node's name is one that Kubernetes takes (RFC 1123).
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = Get-NodeFact -Name 'nodeName'
    $label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
    $good = $name.Length -le 253 -and $name -cmatch "^$label(\.$label)*$"
    $long = $null -ne $Need['warnAbove'] -and $name.Length -gt $Need['warnAbove']
    $more = if ($long) { "; Windows cuts it at $($Need['warnAbove']) characters in some places" } else { '' }
    Write-NodeDetail -Text "the node's name is '$name'$more"
    $good
}

function Test-NodePendingRestart {
    # Whether Windows, or an earlier run, does not wait for a restart; a new host name does, too.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $waits = @()
    $servicing = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing'
    if (Test-Path -LiteralPath "$servicing\RebootPending") { $waits += 'component servicing' }
    $key = "$script:Services\Tcpip\Parameters"
    $now = Get-NodeRegistryData -Key $key -Name 'Hostname'
    $next = Get-NodeRegistryData -Key $key -Name 'NV Hostname'
    if ($null -ne $next -and $next -ne $now) { $waits += 'a new host name' }
    $waits += @(Get-NodeRestart)
    if ($waits.Count -gt 0) { Write-NodeDetail -Text "a restart is pending for $($waits -join ', ')" }
    $waits.Count -eq 0
}

function Test-NodePendingRename {
    # Whether no files wait to be replaced at the next start.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $files = Get-NodeRegistryData -Key $script:SessionManager -Name 'PendingFileRenameOperations'
    $count = @($files | Where-Object -FilterScript { $_ }).Count
    if ($count -gt 0) { Write-NodeDetail -Text "$count files are replaced or deleted at the next start" }
    $count -eq 0
}

function Get-NodeEndpoint {
    # Host and port of the API server: from node.json, or from the discovery file on the node.
    [CmdletBinding()]
    [OutputType([System.Uri])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $text = "$($Need['endpoint'])"
    if ($text -eq '') {
        $file = "$($Need['discoveryFile'])"
        if ($file -eq '' -or -not (Test-Path -LiteralPath $file)) { throw "there is no discovery file $file" }
        $pattern = '(?m)^[\s-]*"?server"?:\s*["'']?(?<url>[^\s"'',]+)'
        $line = [regex]::Match((Read-NodeText -LiteralPath $file), $pattern)
        if (-not $line.Success) { throw "$file names no server" }
        $text = $line.Groups['url'].Value
    }
    if ($text -notmatch '^https?://') { $text = "https://$text" }
    $uri = New-Object -TypeName System.Uri -ArgumentList $text
    if ($uri.Port -lt 1) { throw "$text names no port" }
    $uri
}

function Connect-NodeEndpoint {
    # An open connection to a host and port; throws after ten seconds.
    [CmdletBinding()]
    [OutputType([System.Net.Sockets.TcpClient])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $client = New-Object -TypeName System.Net.Sockets.TcpClient
    $client.ReceiveTimeout = 10000
    $client.SendTimeout = 10000
    $waiting = $client.BeginConnect($Uri.DnsSafeHost, $Uri.Port, $null, $null)
    if (-not $waiting.AsyncWaitHandle.WaitOne(10000)) {
        $client.Close()
        throw "$($Uri.Authority) does not answer"
    }
    $client.EndConnect($waiting)
    $client
}

function Get-NodeServerTime {
    # The time of a server, from the header Date. Its certificate is not checked, as the cluster's CA is not
    # known here: the answer is compared with the clock, and nothing else is done with it.
    [CmdletBinding()]
    [OutputType([DateTime])]
    param([Parameter(Mandatory = $true)] [System.Uri] $Uri)

    $client = Connect-NodeEndpoint -Uri $Uri
    try {
        $stream = $client.GetStream()
        if ($Uri.Scheme -eq 'https') {
            $stream = New-Object -TypeName System.Net.Security.SslStream -ArgumentList $stream, $false, { $true }
            $stream.AuthenticateAsClient($Uri.DnsSafeHost)
        }
        $call = [System.Text.Encoding]::ASCII.GetBytes("GET /version HTTP/1.0`r`nHost: $($Uri.Authority)`r`n`r`n")
        $stream.Write($call, 0, $call.Length)
        $reader = New-Object -TypeName System.IO.StreamReader -ArgumentList $stream
        for ($line = $reader.ReadLine(); $line; $line = $reader.ReadLine()) {
            if ($line -match '^Date:\s*(.+)$') {
                $invariant = [System.Globalization.CultureInfo]::InvariantCulture
                return [DateTimeOffset]::Parse($Matches[1], $invariant).UtcDateTime
            }
        }
        throw "$($Uri.Authority) does not tell the time"
    } finally {
        $client.Close()
    }
}

function Test-NodeClockSkew {
    # Whether the clock agrees with the API server's: certificates and tokens depend on it.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $server = Get-NodeServerTime -Uri (Get-NodeEndpoint -Need $Need)
    $skew = [math]::Round([math]::Abs(([DateTime]::UtcNow - $server).TotalSeconds))
    Write-NodeDetail -Text "the clock is $skew s off, at most $($Need['seconds']) are fine"
    $skew -le $Need['seconds']
}

function Test-NodeApiServerName {
    # Whether the name of the API server has an address.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $name = (Get-NodeEndpoint -Need $Need).DnsSafeHost
    $addresses = @([System.Net.Dns]::GetHostAddresses($name))
    Write-NodeDetail -Text "$name has $($addresses.Count) addresses"
    $addresses.Count -gt 0
}

function Test-NodeApiServer {
    # Whether the API server takes connections.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $uri = Get-NodeEndpoint -Need $Need
    (Connect-NodeEndpoint -Uri $uri).Close()
    Write-NodeDetail -Text "$($uri.Authority) takes connections"
    $true
}

function Test-NodeFilePresent {
    # Whether files are there that somebody has to bring. A machine that has joined needs no more what only
    # served to join, and a token that was given otherwise needs no file.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $spent = @(foreach ($step in $script:Run.Document['steps']) {
            if ($null -eq $step['bootstrapKubeconfig']) { continue }
            if (Test-Path -LiteralPath $step['kubeconfig']) {
                $step['bootstrapKubeconfig'], $step['tokenFile'], $step['discoveryFile']
            }
            if ($script:Run.Token -ne '') { $step['tokenFile'] }
        })
    $missing = @($Need['paths'] | Where-Object -FilterScript {
            $null -ne $_ -and $spent -notcontains $_ -and -not (Test-Path -LiteralPath $_)
        })
    if ($missing.Count -gt 0) { Write-NodeDetail -Text "missing: $($missing -join ', ')" }
    $missing.Count -eq 0
}

function Test-NodeSecureBootOff {
    # Whether the firmware lets drivers load that Microsoft did not sign.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $key = 'HKLM:\SYSTEM\CurrentControlSet\Control\SecureBoot\State'
    $on = 1 -eq (Get-NodeRegistryData -Key $key -Name 'UEFISecureBootEnabled')
    Write-NodeDetail -Text $(if ($on) { 'Secure Boot is on' } else { 'Secure Boot is off' })
    -not $on
}

function Test-NodeOtherEngine {
    # Whether no other container engine is at home here.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = @($Need['services'] | Where-Object -FilterScript { Test-Path -LiteralPath "$script:Services\$_" })
    if ($found.Count -gt 0) { Write-NodeDetail -Text "these services are here: $($found -join ', ')" }
    $found.Count -eq 0
}

#endregion
#region The walker

function ConvertTo-NodeStepResult {
    # The result of one step. States: Unchanged, Changed, WouldChange, Different, Waiting (for a restart),
    # Skipped (after a failure), Kept (by Reset), Unknown (could not be read), Failed.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string] $State,
        [Parameter()] [bool] $Restart = $false,
        [Parameter()] [AllowEmptyString()] [string] $Detail = ''
    )

    [ordered]@{
        id = $Step['id']; kind = $Step['kind']; state = $State; restart = $Restart
        detail = Hide-NodeSecret -Text $Detail
    }
}

function Get-NodeSubject {
    # What a person calls the thing that a step is about.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    @($Step[$script:StepKind[$Step['kind']].Subject]) -join ', '
}

function Test-NodeStep {
    # Whether a step is as wanted; the reasons come back through -Detail.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [System.Collections.ArrayList] $Detail
    )

    $test = 'Test-{0}' -f $script:StepKind[$Step['kind']].Noun
    $answer = & $test -Step $Step -InformationVariable said -InformationAction SilentlyContinue
    foreach ($line in $said) { $null = $Detail.Add("$line") }
    [bool]$answer
}

function Invoke-NodeStep {
    # Tests one step; where it differs, sets it, and tests again.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter()] [switch] $TestOnly
    )

    $why = New-Object -TypeName System.Collections.ArrayList
    $waits = @(Get-NodeRestart) -contains $Step['id']
    try {
        if (Test-NodeStep -Step $Step -Detail $why) {
            return ConvertTo-NodeStepResult -Step $Step -State Unchanged -Restart $waits -Detail ($why -join '; ')
        }
        $found = $why -join '; '
        if ($waits) { return ConvertTo-NodeStepResult -Step $Step -State Waiting -Restart $true -Detail $found }
        if ($TestOnly) { return ConvertTo-NodeStepResult -Step $Step -State Different -Detail $found }
        if ($WhatIfPreference) { return ConvertTo-NodeStepResult -Step $Step -State WouldChange -Detail $found }
        $restart = Edit-NodeStep -Step $Step
        return ConvertTo-NodeStepResult -Step $Step -State Changed -Restart $restart -Detail $found
    } catch {
        $problem = $_
        $message = "$($problem.Exception.Message) $($problem.ScriptStackTrace)"
        Write-NodeLog -Level fail -Step $Step['id'] -Message $message
        $state = if ($TestOnly -or $WhatIfPreference) { 'Unknown' } else { 'Failed' }
        ConvertTo-NodeStepResult -Step $Step -State $state -Detail $problem.Exception.Message
    }
}

function Edit-NodeStep {
    # Notes what is there, sets the step, and tests it again. Whether it needs a restart to count.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $id = $Step['id']
    Save-NodeBefore -Step $Step
    Write-NodeLog -Level info -Step $id -Message "set $($Step['kind']) $(Get-NodeSubject -Step $Step)"
    $set = 'Set-{0}' -f $script:StepKind[$Step['kind']].Noun
    $restart = @(& $set -Step $Step -InformationAction SilentlyContinue) -contains $true
    if ($restart) {
        Add-NodeRestart -Id $id
        return $true
    }
    $why = New-Object -TypeName System.Collections.ArrayList
    $done = Test-NodeStep -Step $Step -Detail $why
    if (-not $done) { throw "it still differs after the change: $($why -join '; ')" }
    $false
}

function Get-NodeMemoryCommand {
    # The Backup- or Restore- function of a step's kind, or nothing where it needs none.
    [CmdletBinding()]
    [OutputType([System.Management.Automation.FunctionInfo])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [ValidateSet('Backup', 'Restore')] [string] $Verb
    )

    $kind = $script:StepKind[$Step['kind']]
    $noun = if ($kind.ContainsKey('Memory')) { $kind.Memory } else { $kind.Noun }
    Get-Command -Name "$Verb-$noun" -CommandType Function -ErrorAction SilentlyContinue
}

function Save-NodeBefore {
    # Notes what was there before the first change, once.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($script:Run.State['before'].Contains($Step['id'])) { return }
    $before = $null
    $backup = Get-NodeMemoryCommand -Step $Step -Verb Backup
    if ($null -ne $backup) {
        $arguments = if ($backup.Parameters.ContainsKey('Step')) { @{ Step = $Step } } else { @{} }
        $before = & $backup @arguments
    }
    Write-NodeMemory -Chapter before -Id $Step['id'] -Value $before
}

function Invoke-NodePhase {
    # Walks steps in their order. A failure stops the walk; what waits for a restart holds back only those
    # that come after it. Whether all is well.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Step,
        [Parameter()] [switch] $TestOnly
    )

    $failed = $false
    $held = @(foreach ($result in $script:Run.Steps) { if ($result['restart']) { $result['id'] } })
    $count = 0
    foreach ($one in $Step) {
        $count++
        $for = @($one['after'] | Where-Object -FilterScript { $held -contains $_ })
        if ($failed) {
            $result = ConvertTo-NodeStepResult -Step $one -State Skipped
        } elseif ($for.Count -gt 0 -and -not $TestOnly) {
            $why = "for a restart: $($for -join ', ')"
            $result = ConvertTo-NodeStepResult -Step $one -State Waiting -Detail $why
        } else {
            $result = Invoke-NodeStep -Step $one -TestOnly:$TestOnly
        }
        if ($result['restart'] -or $result['state'] -eq 'Waiting') { $held += $one['id'] }
        if ($result['state'] -eq 'Failed') { $failed = $true }
        Add-NodeResult -Result $result -Step $one -Place "$count/$($Step.Count)"
    }
    -not $failed
}

function Add-NodeResult {
    # Keeps a result, logs it, and tells a person who watches.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Result,
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step,
        [Parameter(Mandatory = $true)] [string] $Place
    )

    $script:Run.Steps += $Result
    $level = if ($Result['state'] -eq 'Failed') { 'fail' } else { 'info' }
    Write-NodeLog -Level $level -Step $Result['id'] -Message "$($Result['state']) $($Result['detail'])"
    $subject = Get-NodeSubject -Step $Step
    Write-NodeLine -Text ('{0,8}  {1,-11}  {2,-28}  {3}' -f $Place, $Result['state'], $Result['id'], $subject)
    if ($Result['detail'] -ne '' -and $Result['state'] -notin 'Unchanged', 'Changed') {
        Write-NodeLine -Text ('{0,23}{1}' -f '', $Result['detail'])
    }
}

function Get-NodePhaseStep {
    # The steps of a phase. Logs are looked after in all phases by the task that does nothing else.
    [CmdletBinding()]
    [OutputType([object[]])]
    param([Parameter(Mandatory = $true)] [ValidateSet('image', 'join', 'boot', 'logs')] [string] $Phase)

    $script:Run.Document['steps'] | Where-Object -FilterScript {
        $_['phase'] -ceq $Phase -or ($Phase -eq 'logs' -and $_['kind'] -ceq 'logRotation')
    }
}

function Add-NodePreflight {
    # Keeps the verdict of a check, and tells a person who watches.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [string] $Id,
        [Parameter(Mandatory = $true)] [ValidateSet('fail', 'restart', 'warn')] [string] $Verdict,
        [Parameter(Mandatory = $true)] [bool] $Passed,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $plain = Hide-NodeSecret -Text $Message
    $script:Run.Preflight += [ordered]@{ id = $Id; verdict = $Verdict; passed = $Passed; message = $plain }
    $word = if ($Passed) { 'ok' } else { $Verdict }
    $level = if ($Passed) { 'info' } elseif ($Verdict -eq 'fail') { 'fail' } else { 'warn' }
    Write-NodeLog -Level $level -Step $Id -Message "preflight $word $plain"
    Write-NodeLine -Text ('{0,8}  {1,-11}  {2,-28}  {3}' -f 'check', $word, $Id, $plain)
}

function Invoke-NodePreflight {
    # Asks all checks of a phase, so that all their verdicts are told at once.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [ValidateSet('image', 'join', 'boot')] [string] $Phase)

    foreach ($check in $script:Run.Document['preflight']) {
        # A start of the machine runs unwatched: only what is meant for it may stop it.
        $any = $check['phases'] -ccontains 'any' -and $Phase -ne 'boot'
        if (-not $any -and $check['phases'] -cnotcontains $Phase) { continue }
        $test = Get-Command -Name $script:PreflightKind[$check['kind']] -CommandType Function
        $arguments = @{}
        if ($test.Parameters.ContainsKey('Need')) { $arguments['Need'] = ConvertTo-NodeMap -Pair $check['with'] }
        try {
            $passed = [bool](& $test @arguments -InformationVariable said -InformationAction SilentlyContinue)
            $message = @($said) -join '; '
        } catch {
            $passed = $false
            $message = $_.Exception.Message
        }
        Add-NodePreflight -Id $check['id'] -Verdict $check['verdict'] -Passed $passed -Message $message
    }
}

function Test-NodeRefusal {
    # Whether a check forbids to go on: this machine cannot, or it must restart first.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $against = @($script:Run.Preflight | Where-Object -FilterScript {
            -not $_['passed'] -and $_['verdict'] -ne 'warn'
        })
    $against.Count -gt 0
}

function Assert-NodeToken {
    # Refuses a join without a token, or with one that cannot be one.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    foreach ($step in @(Get-NodePhaseStep -Phase join)) {
        if ($step['kind'] -cne 'kubeadmJoin' -or (Test-Path -LiteralPath $step['kubeconfig'])) { continue }
        $token = Get-NodeToken -Step $step
        $good = $token -cmatch '^[a-z0-9]{6}\.[a-z0-9]{16}$'
        $message = if ($good) {
            'there is a token'
        } elseif ($token -eq '') {
            'there is no token: give -TokenFile, -Token, or WINNODE_TOKEN'
        } else {
            'the token does not have the form of a bootstrap token'
        }
        Add-NodePreflight -Id 'join-token' -Verdict fail -Passed $good -Message $message
    }
}

function Assert-NodeImage {
    # Refuses a join where the steps of the image are not as they should be. What holds facts of the node was
    # written on the machine that the image was made on; Join writes it anew.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $wrong = @(foreach ($step in @(Get-NodePhaseStep -Phase image)) {
            if (Test-NodeStepUsesFact -Step $step) { continue }
            $result = Invoke-NodeStep -Step $step -TestOnly
            if ($result['state'] -ne 'Unchanged') { '{0} ({1})' -f $result['id'], $result['detail'] }
        })
    $message = if ($wrong.Count -eq 0) { 'the steps of the image are as wanted' } else {
        "run Install-WinNode.ps1 first; these differ: $($wrong -join ', ')"
    }
    Add-NodePreflight -Id 'image' -Verdict fail -Passed ($wrong.Count -eq 0) -Message $message
}

function Assert-NodeDrained {
    # Refuses to replace what carries pods on a machine that has joined, while pods run that nothing would
    # bring back.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    if (-not $script:Run.State['joined'] -or $script:Run.Force) { return }
    $services = @(foreach ($step in @(Get-NodePhaseStep -Phase image)) {
            if ((Invoke-NodeStep -Step $step -TestOnly)['state'] -ne 'Different') { continue }
            if ($step['kind'] -ceq 'service') { $step['name'] }
            $paths = @($step['path']) + @($step['members'] | Where-Object -FilterScript { $null -ne $_ } |
                    ForEach-Object -Process { $_['path'] })
            foreach ($path in $paths) { if ($path) { Get-NodeServiceUsing -LiteralPath $path } }
        })
    $stop = @(Get-NodeServiceToStop -Name $services)
    if ($stop -notcontains 'kubelet' -and $stop -notcontains 'containerd') { return }
    $pods = @(Get-NodeWorkload)
    $message = if ($pods.Count -eq 0) { 'no pods run that a DaemonSet does not bring back' } else {
        "drain the node first, or give -Force: $($pods -join ', ')"
    }
    Add-NodePreflight -Id 'drained' -Verdict fail -Passed ($pods.Count -eq 0) -Message $message
}

function ConvertTo-NodeExitCode {
    # The exit code that the results of a run ask for.
    [CmdletBinding()]
    [OutputType([int])]
    param([Parameter(Mandatory = $true)] [int] $RestartExitCode)

    $refusals = @($script:Run.Preflight | Where-Object -FilterScript { -not $_['passed'] } |
            ForEach-Object -Process { $_['verdict'] })
    $states = @($script:Run.Steps | ForEach-Object -Process { $_['state'] })
    $restarts = @($script:Run.Steps | Where-Object -FilterScript { $_['restart'] -or $_['state'] -eq 'Waiting' })
    if ($refusals -contains 'fail') { return 2 }
    if ($states -contains 'Failed') { return 1 }
    if ($states -contains 'Different') { return 4 }
    if ($states -contains 'Unknown') { return 6 }
    if ($refusals -contains 'restart' -or $restarts.Count -gt 0) { return $RestartExitCode }
    0
}

function ConvertTo-NodeResult {
    # The one object that a command returns.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $Kind,
        [Parameter(Mandatory = $true)] [int] $ExitCode,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Message
    )

    $document = if ($null -ne $script:Run) { $script:Run.Document } else { $null }
    $steps = @(if ($null -ne $script:Run) { $script:Run.Steps })
    $checks = @(if ($null -ne $script:Run) { $script:Run.Preflight })
    $waits = @($steps | Where-Object -FilterScript { $_['restart'] }).Count +
    @($checks | Where-Object -FilterScript { $_['verdict'] -eq 'restart' -and -not $_['passed'] }).Count
    [ordered]@{
        apiVersion = 'winnode/v1'
        kind       = $Kind
        name       = if ($null -ne $document) { $document['name'] } else { '' }
        exitCode   = $ExitCode
        restart    = $waits -gt 0
        message    = Hide-NodeSecret -Text $Message
        steps      = $steps
        preflight  = $checks
    }
}

function Invoke-NodeRun {
    # Runs a command's body between opening and closing, and makes a result of whatever happens.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [hashtable] $Open,
        [Parameter(Mandatory = $true)] [string] $Kind,
        [Parameter(Mandatory = $true)] [int] $RestartExitCode,
        [Parameter(Mandatory = $true)] [scriptblock] $Body
    )

    try {
        Open-NodeRun @Open
        $null = & $Body
        $code = ConvertTo-NodeExitCode -RestartExitCode $RestartExitCode
        $result = ConvertTo-NodeResult -Kind $Kind -ExitCode $code -Message $script:Run.Message
    } catch {
        $problem = $_
        $message = $problem.Exception.Message
        Write-NodeLog -Level fail -Step '' -Message "$message $($problem.ScriptStackTrace)"
        $result = ConvertTo-NodeResult -Kind $Kind -ExitCode 1 -Message $message
    } finally {
        Close-NodeRun
    }
    Write-NodeSummary -Result $result
    $result
}

function Write-NodeSummary {
    # The last lines for a person: how many steps went how, and what to do now.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Result)

    $groups = $Result['steps'] | ForEach-Object -Process { $_['state'] } | Group-Object -NoElement
    $counts = @($groups | ForEach-Object -Process { '{0} {1}' -f $_.Count, $_.Name.ToLowerInvariant() }) -join ', '
    Write-NodeLine -Text ''
    if ($counts -ne '') { Write-NodeLine -Text ('{0} steps: {1}' -f @($Result['steps']).Count, $counts) }
    if ($Result['message'] -ne '') { Write-NodeLine -Text $Result['message'] }
    if ($Result['restart']) { Write-NodeLine -Text 'Restart the machine and run this again.' }
    Write-NodeLine -Text "Exit code $($Result['exitCode'])."
}

#endregion
#region The report

function ConvertTo-NodeReportValue {
    # Only named properties of an object, as texts without secrets.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object] $InputObject,
        [Parameter(Mandatory = $true)] [string[]] $Property
    )

    process {
        $value = [ordered]@{}
        foreach ($name in $Property) {
            $found = $InputObject.PSObject.Properties[$name]
            if ($null -eq $found) { continue }
            $text = @($found.Value | ForEach-Object -Process { "$_" }) -join ', '
            $value[$name] = Hide-NodeSecret -Text $text
        }
        $value
    }
}

# The parts of a report. Nothing gets in that is not named here, and each text goes through Hide-NodeSecret.
$script:ReportPart = [ordered]@{
    windows       = {
        [ordered]@{
            product          = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'ProductName')"
            installationType = "$(Get-NodeRegistryData -Key $script:WindowsVersion -Name 'InstallationType')"
            build            = Get-NodeBuild
            revision         = Get-NodeRevision
            started          = Get-NodeBootTime
        }
    }
    powershell    = {
        [ordered]@{ version = "$($PSVersionTable.PSVersion)"; edition = "$($PSVersionTable.PSEdition)" }
    }
    facts         = { Get-NodeReportFact }
    state         = {
        $state = $script:Run.State
        [ordered]@{ joined = $state['joined']; restarts = @($state['restarts']); stopped = @($state['stopped']) }
    }
    services      = { , @(Get-NodeReportService) }
    programs      = { , @(Get-NodeReportProgram) }
    networks      = {
        $names = 'Name', 'Type', 'ID', 'ManagementIP', 'State'
        , @(Get-HnsNetwork | ConvertTo-NodeReportValue -Property $names)
    }
    endpoints     = {
        $names = 'Name', 'Type', 'ID', 'IPAddress', 'VirtualNetworkName', 'State'
        , @(Get-HnsEndpoint | ConvertTo-NodeReportValue -Property $names)
    }
    loadBalancers = {
        $names = 'ID', 'State', 'References'
        , @(Get-HnsPolicyList | ConvertTo-NodeReportValue -Property $names)
    }
    adapters      = {
        $names = 'Name', 'InterfaceDescription', 'Status', 'LinkSpeed'
        , @(Get-NetAdapter | ConvertTo-NodeReportValue -Property $names)
    }
    addresses     = {
        $names = 'IPAddress', 'PrefixLength', 'InterfaceAlias'
        , @(Get-NetIPAddress | ConvertTo-NodeReportValue -Property $names)
    }
    routes        = {
        $names = 'DestinationPrefix', 'NextHop', 'InterfaceAlias', 'RouteMetric'
        , @(Get-NetRoute | ConvertTo-NodeReportValue -Property $names)
    }
    firewall      = { , @(Get-NodeReportFirewall) }
    events        = { , @(Get-NodeReportEvent) }
    configuration = { Get-NodeReportConfiguration }
    logs          = { Get-NodeReportLog }
}

function Get-NodeReportFact {
    # The node facts that this bundle uses, or why they are not known.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $facts = [ordered]@{}
    foreach ($entry in $script:Run.Document['facts']) {
        try {
            $facts[$entry['name']] = Get-NodeFact -Name $entry['name']
        } catch {
            $facts[$entry['name']] = $_.Exception.Message
        }
    }
    $facts
}

function Get-NodeReportService {
    # The services of this bundle as the service manager has them.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'service') { continue }
        $name = $step['name']
        $service = Get-Service -Name $name -ErrorAction SilentlyContinue
        $key = "$script:Services\$name"
        [ordered]@{
            name     = $name
            status   = if ($null -ne $service) { "$($service.Status)" } else { 'absent' }
            start    = "$(Get-NodeRegistryData -Key $key -Name 'Start')"
            command  = Hide-NodeSecret -Text "$(Get-NodeRegistryData -Key $key -Name 'ImagePath')"
            recovery = Get-NodeRecovery -Name $name
        }
    }
}

function Get-NodeReportProgram {
    # The programs of this bundle, with their digests.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'download' -and $step['kind'] -cne 'archive') { continue }
        $paths = if ($step['kind'] -ceq 'download') { @($step['path']) } else {
            @($step['members'] | ForEach-Object -Process { $_['path'] })
        }
        foreach ($path in $paths) {
            [ordered]@{
                path   = $path
                sha256 = Get-NodeDigest -LiteralPath $path
                url    = Hide-NodeSecret -Text $step['url']
            }
        }
    }
}

function Get-NodeReportFirewall {
    # The rules of this bundle, and whether each profile of the firewall is on.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'firewallRule') {
            [ordered]@{ name = $step['name']; rule = Get-NodeFirewallRule -Name $step['name'] }
        }
    }
    Get-NetFirewallProfile | ConvertTo-NodeReportValue -Property Name, Enabled, DefaultInboundAction
}

function Get-NodeReportEvent {
    # The latest events of services and of the networking service. Get-WinEvent fails where a log is empty.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $filters = @(
        @{ LogName = 'System'; ProviderName = 'Service Control Manager' }
        @{ LogName = 'Microsoft-Windows-Host-Network-Service-Admin' }
        @{ LogName = 'Microsoft-Windows-Hyper-V-Compute-Admin' }
    )
    foreach ($filter in $filters) {
        Get-WinEvent -FilterHashtable $filter -MaxEvents 200 -ErrorAction SilentlyContinue |
            ConvertTo-NodeReportValue -Property TimeCreated, ProviderName, Id, LevelDisplayName, Message
    }
}

function Get-NodeReportConfiguration {
    # The files that came from the bundle, and the kubelet's configuration. Kubeconfigs, certificates and
    # keys are never read.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $files = [ordered]@{}
    $paths = @(foreach ($step in $script:Run.Document['steps']) {
            if ($step['kind'] -ceq 'file' -or $step['kind'] -ceq 'derivedFile') { $step['path'] }
            if ($step['kind'] -ceq 'service' -and $step['name'] -ceq 'kubelet') {
                $step['command'] | Where-Object -FilterScript { $_['text'].StartsWith('--config=') } |
                    ForEach-Object -Process { $_['text'].Substring(9) }
            }
        })
    foreach ($path in $paths) {
        if ($path -match '\.(conf|crt|key|pem)$' -and $path -notmatch 'net\.d\\') { continue }
        if (-not (Test-Path -LiteralPath $path)) { continue }
        $files[$path] = Hide-NodeSecret -Text (Read-NodeText -LiteralPath $path)
    }
    $files
}

function Get-NodeReportLog {
    # The last lines of the logs that this bundle names.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $logs = [ordered]@{}
    $paths = @('{0}\winnode.log' -f $script:Run.Document['paths']['log'])
    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'logRotation') { $paths += $step['path'] }
        if ($step['kind'] -cne 'service') { continue }
        if ($null -ne $step['log']) { $paths += $step['log']['path'] }
        foreach ($part in $step['command']) {
            if ($part['text'].StartsWith('-log-file=')) { $paths += $part['text'].Substring(10) }
        }
    }
    foreach ($path in @($paths | Select-Object -Unique)) {
        if (Test-Path -LiteralPath $path) {
            $lines = @(Get-Content -LiteralPath $path -Tail $script:Limit.ReportLines -Encoding UTF8)
            $logs[$path] = Hide-NodeSecret -Text ($lines -join "`n")
        }
    }
    $logs
}

function Get-NodeReport {
    # All parts of a report; a part that cannot be read says why.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $report = [ordered]@{ apiVersion = 'winnode/v1'; kind = 'NodeReport'; name = $script:Run.Document['name'] }
    foreach ($part in @($script:ReportPart.Keys)) {
        try {
            $report[$part] = & $script:ReportPart[$part]
        } catch {
            $report[$part] = [ordered]@{ error = Hide-NodeSecret -Text $_.Exception.Message }
        }
    }
    $report['steps'] = $script:Run.Steps
    $report
}

#endregion
#region The commands

function Install-Node {
    <#
        .SYNOPSIS
            Brings this machine to the state that node.json describes, as far as a phase goes.

        .DESCRIPTION
            image: before any cluster is known. boot: what each start of a machine that has joined needs.
            logs: rotates logs. Returns one result, with the exit code that it asks for.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [ValidateSet('image', 'boot', 'logs')] [string] $Phase = 'image',
        # Exit code that asks the caller for a restart.
        [Parameter()] [int] $RestartExitCode = 3010,
        # Replaces programs although pods run that nothing would bring back.
        [Parameter()] [switch] $Force
    )

    # ShouldProcess would print among the JSON; the walker itself says what would change.
    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'install')
    $open = @{ Path = $Path; Writes = $writes; Force = $Force }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), phase $Phase"
        if ($Phase -eq 'image') {
            Invoke-NodePreflight -Phase image
            if (-not (Test-NodeRefusal)) { Assert-NodeDrained }
        } elseif (-not $script:Run.State['joined']) {
            $script:Run.Message = 'the machine has not joined yet, so there is nothing to do'
            return
        } elseif ($Phase -eq 'boot') {
            Invoke-NodePreflight -Phase boot
        }
        if (Test-NodeRefusal) { return }
        $well = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $Phase)
        if ($WhatIfPreference) { return }
        if ($Phase -ne 'image') {
            foreach ($step in @(Get-NodeLogStep)) {
                if ($null -ne $step['log']) { Limit-NodeServiceLog -Log $step['log'] }
            }
        }
        Complete-NodeRun -Well $well
    }
}

function Complete-NodeRun {
    # Starts what was stopped for a change, or says what stays stopped.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [bool] $Well)

    $stopped = @($script:Run.State['stopped'])
    if ($stopped.Count -eq 0) { return }
    if ($Well) {
        Resume-NodeService
    } else {
        $script:Run.Message = "stopped until a run succeeds: $($stopped -join ', ')"
    }
}

function Join-Node {
    <#
        .SYNOPSIS
            Makes this machine a node of its cluster.

        .DESCRIPTION
            Refuses before any change where the image is not as wanted, a file is missing, or there is no
            token. Then joins, starts the network and kube-proxy, and remembers that the machine has joined.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        # Bootstrap token; node.json may name a file on the node instead.
        [Parameter()] [AllowEmptyString()] [string] $Token = '',
        # Exit code that asks the caller for a restart.
        [Parameter()] [int] $RestartExitCode = 3010
    )

    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'join')
    $open = @{ Path = $Path; Writes = $writes; Secret = @($Token) }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        $script:Run.Token = $Token
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), phase join"
        Invoke-NodePreflight -Phase join
        Assert-NodeToken
        if (-not (Test-NodeRefusal)) { Assert-NodeImage }
        if (Test-NodeRefusal) { return }
        $late = @(Get-NodePhaseStep -Phase image | Where-Object -FilterScript { Test-NodeStepUsesFact -Step $_ })
        $well = Invoke-NodePhase -Step ($late + @(Get-NodePhaseStep -Phase join))
        if ($well -and -not $WhatIfPreference -and -not $script:Run.State['joined']) {
            # Before the boot steps: if those fail, the boot task tries them again at the next start.
            $script:Run.State['joined'] = $true
            Save-NodeState
        }
        if ($well) { $well = Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase boot) }
        if (-not $WhatIfPreference) { Complete-NodeRun -Well $well }
    }
}

function Test-Node {
    <#
        .SYNOPSIS
            Says whether this machine still is what node.json describes; changes nothing.

        .DESCRIPTION
            Without -Phase: the steps of the image, and once the machine has joined all others too. Exit code
            0 where nothing differs, 4 where something does, 6 where something could not be read.
    #>
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        [Parameter()] [ValidateSet('', 'image', 'join', 'boot')] [string] $Phase = ''
    )

    Invoke-NodeRun -Open @{ Path = $Path } -Kind NodeSnapshot -RestartExitCode 0 -Body {
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), test"
        $phases = @('image')
        if ($script:Run.State['joined']) { $phases = 'image', 'join', 'boot' }
        if ($Phase -ne '') { $phases = @($Phase) }
        foreach ($one in $phases) { Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
    }
}

function Reset-Node {
    <#
        .SYNOPSIS
            Takes away what node.json put on this machine, and restores what was there before.

        .DESCRIPTION
            Goes backwards through the steps. What was so before the first change stays as it is. Data of
            pods, logs and Windows features stay unless asked for. Can be run again.
    #>
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        # Also removes folders that are not empty; never containerd's layers.
        [Parameter()] [switch] $RemoveData,
        # Also removes Windows features that an installation added.
        [Parameter()] [switch] $RemoveFeature,
        # Exit code that asks the caller for a restart.
        [Parameter()] [int] $RestartExitCode = 3010
    )

    $writes = -not $WhatIfPreference -and $PSCmdlet.ShouldProcess($Path, 'reset')
    $open = @{ Path = $Path; Writes = $writes }
    Invoke-NodeRun -Open $open -Kind NodeResult -RestartExitCode $RestartExitCode -Body {
        $script:Run.RemoveData = [bool]$RemoveData
        $script:Run.RemoveFeature = [bool]$RemoveFeature
        Write-NodeLine -Text "winnode: $($script:Run.Document['name']), reset"
        if (-not $WhatIfPreference) { Stop-NodeWorkload }
        $steps = @($script:Run.Document['steps'])
        for ($index = $steps.Count - 1; $index -ge 0; $index--) {
            $result = Reset-NodeStep -Step $steps[$index]
            Add-NodeResult -Result $result -Step $steps[$index] -Place "$($steps.Count - $index)/$($steps.Count)"
        }
        $failed = @($script:Run.Steps | Where-Object -FilterScript { $_['state'] -eq 'Failed' }).Count
        if ($failed -eq 0 -and -not $WhatIfPreference) { Clear-NodeState }
    }
}

function Stop-NodeWorkload {
    # Stops what would make things again, then pods and images: layers go only through containerd. What fails
    # here is told and stays; the steps that follow do what they can.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([void])]
    param()

    if (-not $PSCmdlet.ShouldProcess('pods', 'remove')) { return }
    $services = @($script:Run.Document['steps'] | Where-Object -FilterScript { $_['kind'] -ceq 'service' } |
            ForEach-Object -Process { $_['name'] })
    $ours = @($services | Where-Object -FilterScript { $_ -ne 'containerd' })
    foreach ($name in @(Get-NodeServiceToStop -Name $ours)) { Close-NodeService -Name $name }
    if ($services -notcontains 'containerd' -or -not (Test-NodeServiceActive -Name 'containerd')) { return }
    # Only where containerd is ours: another one's images are user data.
    $memory = @($script:Run.Document['steps'] | Where-Object -FilterScript {
            $_['kind'] -ceq 'service' -and $_['name'] -ceq 'containerd'
        })[0]
    if (-not $script:Run.State['before'].Contains($memory['id'])) { return }
    if ($null -ne (Get-NodeMemory -Chapter before -Id $memory['id'])) { return }
    try {
        Clear-NodeRuntime
    } catch {
        $script:Run.Message = "pods or images remain: $($_.Exception.Message)"
        Write-NodeLog -Level warn -Step '' -Message $script:Run.Message
    }
}

function Clear-NodeRuntime {
    # Removes pods, containers and images of Kubernetes.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $crictl = Find-NodeProgram -Name 'crictl.exe'
    if ($crictl -ne '' -and (Test-Path -LiteralPath $crictl)) {
        $null = Invoke-NodeCrictl -Program $crictl -ArgumentList 'rmp', '--all', '--force'
        $null = Invoke-NodeCrictl -Program $crictl -ArgumentList 'rmi', '--all'
    }
    $ctr = Find-NodeProgram -Name 'ctr.exe'
    if ($ctr -eq '' -or -not (Test-Path -LiteralPath $ctr)) { return }
    foreach ($what in @('containers', 'rm'), @('images', 'rm', '--sync'), @('snapshots', 'rm')) {
        $list = @(Invoke-Native -FilePath $ctr -ArgumentList '-n', 'k8s.io', $what[0], 'ls', '-q')
        $names = @($list | Where-Object -FilterScript { $_.Trim() -ne '' })
        if ($names.Count -eq 0) { continue }
        $null = Invoke-Native -FilePath $ctr -ArgumentList (@('-n', 'k8s.io') + $what + $names)
    }
}

function Reset-NodeStep {
    # Takes one step back.
    [CmdletBinding(SupportsShouldProcess = $true)]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $id = $Step['id']
    $memory = $script:Run.State['before']
    $policy = $script:StepKind[$Step['kind']].Reset
    $restore = Get-NodeMemoryCommand -Step $Step -Verb Restore
    if ($policy -eq 'keep' -or $null -eq $restore) { return ConvertTo-NodeStepResult -Step $Step -State Kept }
    if ($policy -eq 'restore' -and -not $memory.Contains($id)) {
        return ConvertTo-NodeStepResult -Step $Step -State Unchanged -Detail 'winnode did not change it'
    }
    if ($WhatIfPreference -or -not $PSCmdlet.ShouldProcess($id, 'reset')) {
        return ConvertTo-NodeStepResult -Step $Step -State WouldChange
    }
    try {
        $arguments = @{ Step = $Step }
        if ($restore.Parameters.ContainsKey('Before')) { $arguments['Before'] = $memory[$id] }
        $answer = @(& $restore @arguments -InformationVariable said -InformationAction SilentlyContinue)
        $restart = $answer -contains $true
        $detail = @($said) -join '; '
        $kept = $detail -match '^kept'
        if (-not $kept -and $memory.Contains($id)) {
            $memory.Remove($id)
            Save-NodeState
        }
        $state = if ($kept) { 'Kept' } else { 'Changed' }
        ConvertTo-NodeStepResult -Step $Step -State $state -Restart $restart -Detail $detail
    } catch {
        $problem = $_
        Write-NodeLog -Level fail -Step $id -Message "$($problem.Exception.Message) $($problem.ScriptStackTrace)"
        ConvertTo-NodeStepResult -Step $Step -State Failed -Detail $problem.Exception.Message
    }
}

function Clear-NodeState {
    # Forgets what is restored. What was kept stays in memory, so that a later Reset can still take it away.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    $folder = $script:Run.Document['paths']['state']
    $script:Run.State['joined'] = $false
    $script:Run.State['stopped'] = @()
    $script:Run.State['receipts'] = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    foreach ($name in 'backup', 'work') { Clear-NodePath -LiteralPath "$folder\$name" }
    $rest = @($script:Run.State['before'].GetEnumerator()).Count + @(Get-NodeRestart).Count
    if ($rest -gt 0) { Save-NodeState } else { Clear-NodePath -LiteralPath $script:Run.StateFile }
}

function Export-NodeReport {
    <#
        .SYNOPSIS
            Collects what a diagnosis needs into one JSON file and one zip, without secrets.
    #>
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        # Folder that holds node.json.
        [Parameter(Mandatory = $true)] [string] $Path,
        # Folder for the report; the log folder where none is given.
        [Parameter()] [AllowEmptyString()] [string] $Destination = ''
    )

    Invoke-NodeRun -Open @{ Path = $Path } -Kind NodeResult -RestartExitCode 0 -Body {
        $phases = if ($script:Run.State['joined']) { 'image', 'join', 'boot' } else { @('image') }
        foreach ($one in $phases) { Invoke-NodePhase -Step @(Get-NodePhaseStep -Phase $one) -TestOnly }
        $folder = if ($Destination -ne '') { $Destination } else { $script:Run.Document['paths']['log'] }
        Initialize-NodeFolder -LiteralPath $folder
        $file = "$folder\winnode-report.json"
        Write-NodeText -LiteralPath $file -Text ((ConvertTo-NodeJson -InputObject (Get-NodeReport)) + "`n")
        Clear-NodePath -LiteralPath "$folder\winnode-report.zip"
        # Windows' tar.exe writes a zip where the name asks for one.
        $null = Invoke-Native -FilePath 'tar.exe' -ArgumentList @(
            '-a', '-c', '-f', (Resolve-NodePath -LiteralPath "$folder\winnode-report.zip")
            '-C', (Resolve-NodePath -LiteralPath $folder), 'winnode-report.json'
        )
        $script:Run.Message = "$folder\winnode-report.zip"
        # What the steps are like is in the report; it is no failure of the report.
        $script:Run.Steps = @()
    }
}

#endregion

Export-ModuleMember -Function @(
    'Install-Node', 'Join-Node', 'Test-Node', 'Reset-Node', 'Export-NodeReport', 'ConvertTo-NodeJson'
)
