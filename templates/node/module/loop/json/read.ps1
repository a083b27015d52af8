# Parses JSON exactly: strings are unchanged, and numbers keep their digits.

# A token in a map or a list: the comma before it, its key, and a string, a word or a bracket.
$script:JsonItem = New-Object -TypeName System.Text.RegularExpressions.Regex -ArgumentList (
    '\G[ \t\r\n]*(,)?[ \t\r\n]*' +
    '(?:("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")[ \t\r\n]*:[ \t\r\n]*)?' +
    '([{}\[\]]' +
    '|"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"' +
    '|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?' +
    '|true|false|null)'
)

function ConvertFrom-NodeJson {
    # Parses JSON exactly, maps as ordered and case-sensitive dictionaries. ConvertFrom-Json does not: 7 converts
    # strings that look like dates, 5.1 converts \/Date(0)\/, and neither accepts keys that differ in case only.
    # https://github.com/PowerShell/PowerShell/issues/13598
    # One iteration for each value: one for each character would take a tenth of a second.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    # The maps and lists that are not closed, and the keys under which they are stored.
    $open = New-Object -TypeName System.Collections.Stack
    $names = New-Object -TypeName System.Collections.Stack
    $inside = $null
    $isFirst = $true
    $end = 0
    for ($item = $script:JsonItem.Match($Text); $item.Success; $item = $item.NextMatch()) {
        $end = $item.Index + $item.Length
        $comma, $name, $part = $item.Groups[1].Success, $item.Groups[2].Value, $item.Groups[3].Value
        $isMap = $inside -is [System.Collections.Specialized.OrderedDictionary]
        $closes = $part -ceq '}' -or $part -ceq ']'
        $good = if ($closes) {
            $null -ne $inside -and -not $comma -and $name -ceq '' -and $isMap -eq ($part -ceq '}')
        } else {
            $comma -ne $isFirst -and $isMap -eq ($name -cne '') -and ($isFirst -or $null -ne $inside)
        }
        if (-not $good) { throw "invalid JSON before character $end" }
        if ($part -ceq '{' -or $part -ceq '[') {
            $open.Push($inside)
            $names.Push($name)
            $isFirst = $true
            if ($part -ceq '{') {
                $inside = [System.Collections.Specialized.OrderedDictionary]::new()
            } else {
                $inside = [System.Collections.ArrayList]::new()
            }
            continue
        }
        if ($closes) {
            $value = $inside
            if (-not $isMap) { $value = $inside.ToArray() }
            $inside = $open.Pop()
            $isMap = $inside -is [System.Collections.Specialized.OrderedDictionary]
            $name = $names.Pop()
        } elseif ($part[0] -eq '"') {
            $value = $part.Substring(1, $part.Length - 2)
            if ($value.IndexOf('\') -ge 0) { $value = ConvertFrom-NodeJsonText -Text $value }
        } else {
            $value = ConvertFrom-NodeJsonWord -Text $part
        }
        $isFirst = $false
        if ($isMap) {
            $key = $name.Substring(1, $name.Length - 2)
            if ($key.IndexOf('\') -ge 0) { $key = ConvertFrom-NodeJsonText -Text $key }
            if ($inside.Contains($key)) { throw "invalid JSON: duplicate key $key before character $end" }
            $inside.Add($key, $value)
        } elseif ($null -ne $inside) {
            $null = $inside.Add($value)
        } else {
            $root = $value
        }
    }
    if ($isFirst -or $null -ne $inside -or $Text.Substring($end).Trim(" `t`r`n") -ne '') {
        throw "invalid JSON after character $end"
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
    if ($Text -match '^-?[0-9]{1,18}$') { return [long]::Parse($Text, $script:Invariant) }
    # A decimal keeps the digits as written; only exponents and very long numbers need a double.
    if ($Text -match '^-?[0-9]{1,14}\.[0-9]{1,14}$') { return [decimal]::Parse($Text, $script:Invariant) }
    [double]::Parse($Text, $script:Invariant)
}

function ConvertFrom-NodeJsonText {
    # The text between the quotes, without its escapes.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    # Windows paths contain no escape except the backslash itself. U+0000 cannot occur in the text.
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
