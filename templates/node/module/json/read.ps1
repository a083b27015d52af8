# Reads JSON exactly: every text as it stands, every number with its digits.

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
