# Writes JSON: the same ASCII text in every edition of PowerShell.

function ConvertTo-NodeJson {
    # Writes a value as JSON: the same text in every edition of PowerShell, and ASCII only, which is the same in
    # every code page of a console. ConvertTo-Json indents and escapes differently in 5.1 and 7.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [AllowEmptyString()] [object] $InputObject)

    $builder = New-Object -TypeName System.Text.StringBuilder
    Add-NodeJson -Builder $builder -Value $InputObject -Indent ''
    $builder.ToString()
}

function Add-NodeJson {
    # Appends one value and all values in it. One loop that also writes strings: a call for each value would take
    # seconds.
    [CmdletBinding()]
    param([System.Text.StringBuilder] $Builder, [object] $Value, [string] $Indent)

    # Enumerators of the maps and lists that are not closed.
    $open = New-Object -TypeName System.Collections.Stack
    $line = "`n$Indent"
    for ($item = $Value; ; ) {
        $isMap = $item -is [System.Collections.IDictionary]
        # Whether the bracket that was opened last has no element yet.
        $isFirst = $isMap -or $item -is [System.Collections.IList]
        if ($item -is [string]) {
            $text = $item.Replace('\', '\\').Replace('"', '\"')
            if ($script:JsonUnsafe.IsMatch($text)) { $text = ConvertTo-NodeJsonText -Text $text }
            $null = $Builder.Append('"').Append($text).Append('"')
        } elseif ($isFirst) {
            $null = $Builder.Append($(if ($isMap) { '{' } else { '[' }))
            $open.Push($item.GetEnumerator())
            $line += '  '
        } else {
            $null = $Builder.Append((ConvertTo-NodeJsonWord -Value $item))
        }
        while ($open.Count -gt 0 -and -not $open.Peek().MoveNext()) {
            $line = $line.Substring(0, $line.Length - 2)
            if (-not $isFirst) { $null = $Builder.Append($line) }
            $isFirst = $false
            $wasMap = $open.Pop() -is [System.Collections.IDictionaryEnumerator]
            $null = $Builder.Append($(if ($wasMap) { '}' } else { ']' }))
        }
        if ($open.Count -eq 0) { return }
        if (-not $isFirst) { $null = $Builder.Append(',') }
        $null = $Builder.Append($line)
        $item = $open.Peek().Current
        if ($open.Peek() -is [System.Collections.IDictionaryEnumerator]) {
            $text = ([string]$item.Key).Replace('\', '\\').Replace('"', '\"')
            if ($script:JsonUnsafe.IsMatch($text)) { $text = ConvertTo-NodeJsonText -Text $text }
            $null = $Builder.Append('"').Append($text).Append('": ')
            $item = $item.Value
        }
    }
}

# Characters that JSON must escape, or that a console may not show.
$script:JsonUnsafe = New-Object -TypeName System.Text.RegularExpressions.Regex -ArgumentList '[^\x20-\x7e]'

function ConvertTo-NodeJsonText {
    # A string in ASCII: every other character as its number.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $script:JsonUnsafe.Replace($Text, { param($Match) '\u{0:x4}' -f [int][char]$Match.Value })
}

function ConvertTo-NodeJsonWord {
    # A number, a boolean or null as JSON.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [object] $Value)

    if ($null -eq $Value) { return 'null' }
    if ($Value -is [bool]) { return $Value.ToString().ToLowerInvariant() }
    if ($Value -is [double]) { return $Value.ToString('R', $script:Invariant) }
    if ($Value.GetType() -in [decimal], [long], [int]) { return $Value.ToString($script:Invariant) }
    throw "a $($Value.GetType().FullName) cannot be written as JSON"
}
