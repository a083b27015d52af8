# Writes JSON: the same ASCII on every edition of PowerShell.

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
            $text = ([string]$item.Key).Replace('\', '\\').Replace('"', '\"')
            if ($script:JsonUnsafe.IsMatch($text)) { $text = ConvertTo-NodeJsonText -Text $text }
            $null = $Builder.Append('"').Append($text).Append('": ')
            $child = $item.Value
        }
        if ($child -is [string]) {
            $text = $child.Replace('\', '\\').Replace('"', '\"')
            if ($script:JsonUnsafe.IsMatch($text)) { $text = ConvertTo-NodeJsonText -Text $text }
            $null = $Builder.Append('"').Append($text).Append('"')
        } else {
            Add-NodeJson -Builder $Builder -Value $child -Indent $inner
        }
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
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $script:JsonUnsafe.Replace($Text, { param($Match) '\u{0:x4}' -f [int][char]$Match.Value })
}

function ConvertTo-NodeJsonWord {
    # A text, a number, a truth value or nothing as JSON.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowNull()] [object] $Value)

    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    if ($null -eq $Value) { return 'null' }
    if ($Value -is [string]) {
        return '"{0}"' -f (ConvertTo-NodeJsonText -Text $Value.Replace('\', '\\').Replace('"', '\"'))
    }
    if ($Value -is [bool]) { return $Value.ToString().ToLowerInvariant() }
    if ($Value -is [double]) { return $Value.ToString('R', $invariant) }
    if ($Value -is [decimal] -or $Value -is [long] -or $Value -is [int]) { return $Value.ToString($invariant) }
    throw "JSON has no place for a $($Value.GetType().FullName)"
}
