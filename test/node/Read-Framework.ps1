#Requires -Version 5.1
<#
    .SYNOPSIS
        Lists as JSON the types, members and parameters that the scripts of a folder name.

    .DESCRIPTION
        Members have the type of their object, where the script's text shows it: a literal, a cast, a
        typed parameter, or a variable that was last set to one of them. Where it does not, the type is empty.
#>
[CmdletBinding()]
param([Parameter(Mandatory = $true)] [string] $Folder)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'

function Get-Pair {
    # The keys of literal tables, each with a value that is a literal text.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([object[]] $Node)

    foreach ($item in $Node) {
        if ($item -isnot [System.Management.Automation.Language.HashtableAst]) { continue }
        foreach ($pair in $item.KeyValuePairs) {
            @{ name = $pair.Item1.Extent.Text.Trim("'"); value = Get-Text -Node $pair.Item2 }
        }
    }
}

function Get-Parameter {
    # The parameters of a command, each with a literal value, and of splatted hashtables.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([object] $Command)

    $elements = @($Command.CommandElements) + $null
    for ($index = 0; $index -lt $elements.Count - 1; $index++) {
        $element = $elements[$index]
        if ($element -is [System.Management.Automation.Language.CommandParameterAst]) {
            $value = if ($element.Argument) { $element.Argument } else { $elements[$index + 1] }
            @{ name = $element.ParameterName; value = Get-Text -Node $value }
        }
        if ($element -isnot [System.Management.Automation.Language.VariableExpressionAst]) { continue }
        if (-not $element.Splatted) { continue }
        $name = '$' + $element.VariablePath.UserPath
        foreach ($set in @(Get-Assignment -Function (Get-Function -Node $element))) {
            if ($set.Left.Extent.Text -eq $name) { Get-Pair -Node $set.Right.FindAll({ $true }, $false) }
            if ($set.Left.Extent.Text -match ('^{0}(?:\.(\w+)|\[''(\w+)''\])$' -f [regex]::Escape($name))) {
                $key = @($Matches.Values | Where-Object -FilterScript { $_ -ne $Matches[0] })[0]
                @{ name = $key; value = Get-Text -Node $set.Right }
            }
        }
    }
}

function Format-Place {
    # Where a node is, and how it begins.
    [CmdletBinding()]
    [OutputType([string])]
    param([object] $Node)

    '{0}: {1}' -f $Node.Extent.StartLineNumber, ($Node.Extent.Text -split "`n")[0]
}

function Get-Literal {
    # The arguments of a call that are literal texts, or variables that hold one.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([object] $Call)

    foreach ($argument in @($Call.Arguments | Where-Object -FilterScript { $_ })) {
        Get-Text -Node $argument
    }
}

function Get-Type {
    # The types that are named: in expressions, casts, parameters, attributes, and by New-Object.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([object[]] $Node)

    foreach ($item in $Node) {
        if ($item -is [System.Management.Automation.Language.AttributeAst]) {
            Get-TypeText -TypeName $item.TypeName -Attribute
        } elseif ($item -is [System.Management.Automation.Language.TypeExpressionAst] -or
            $item -is [System.Management.Automation.Language.TypeConstraintAst]) {
            Get-TypeText -TypeName $item.TypeName
        } elseif ($item -is [System.Management.Automation.Language.ConvertExpressionAst] -and
            $item.Type.TypeName.Name -eq 'type') {
            Get-NamedType -Node $item.Child
        } elseif ($item -is [System.Management.Automation.Language.BinaryExpressionAst] -and
            "$($item.Operator)" -in 'As', 'Is', 'IsNot') {
            Get-NamedType -Node $item.Right
            if ($item.Right.Extent.Text -eq '[type]') { Get-NamedType -Node $item.Left }
        }
    }
}

function Get-NamedType {
    # The whole name of a type that a literal text names.
    [CmdletBinding()]
    [OutputType([string])]
    param([object] $Node)

    $text = Get-Text -Node $Node
    if (-not $text) { return }
    $type = $text -as [type]
    if ($type) { $type.FullName } else { $text }
}

function Get-Member {
    # Members that are read or called; a count of -1 is no call.
    [CmdletBinding()]
    [OutputType([hashtable[]])]
    param([object[]] $Node)

    foreach ($item in $Node) {
        if ($item -is [System.Management.Automation.Language.CommandAst] -and
            $item.GetCommandName() -eq 'New-Object' -and $item.Extent.Text -notmatch ' -ComObject ') {
            $made = Get-Made -Command $item
            @{ type = $made.type; name = 'new'; count = $made.count; static = $true; literals = @()
                place = Format-Place -Node $item
            }
        }
        if ($item -isnot [System.Management.Automation.Language.MemberExpressionAst]) { continue }
        $call = $item -is [System.Management.Automation.Language.InvokeMemberExpressionAst]
        @{
            type     = "$(Get-Receiver -Node $item.Expression)"
            name     = $item.Member.Extent.Text.Trim("'")
            count    = if ($call) { @($item.Arguments | Where-Object -FilterScript { $_ }).Count } else { -1 }
            static   = $item.Static
            literals = @(if ($call) { Get-Literal -Call $item })
            place    = Format-Place -Node $item
        }
    }
}

. (Join-Path -Path $PSScriptRoot -ChildPath 'ReceiverType.ps1')

$files = foreach ($file in Get-ChildItem -LiteralPath $Folder -Recurse -File) {
    $tree = [System.Management.Automation.Language.Parser]::ParseFile($file.FullName, [ref]$null, [ref]$null)
    $nodes = @($tree.FindAll({ $true }, $true))
    $parameters = foreach ($node in $nodes) {
        if ($node -isnot [System.Management.Automation.Language.CommandAst]) { continue }
        $command = $node.GetCommandName()
        if (-not $command) { continue }
        foreach ($given in @(Get-Parameter -Command $node)) {
            @{ command = $command; name = $given.name; value = $given.value; place = Format-Place -Node $node }
        }
    }
    [ordered]@{
        name       = $file.FullName.Substring($Folder.Length + 1).Replace('\', '/')
        types      = @(Get-Type -Node $nodes | Sort-Object -Unique)
        members    = @(Get-Member -Node $nodes)
        keys       = @(Get-Pair -Node $nodes | ForEach-Object -Process { $_.name })
        parameters = @($parameters)
    }
}
ConvertTo-Json -InputObject @($files) -Depth 5 -Compress
