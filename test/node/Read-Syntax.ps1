#Requires -Version 5.1
<#
    .SYNOPSIS
        Says as JSON what the parser finds in the scripts of a folder.

    .DESCRIPTION
        For each script: errors, syntax that Windows PowerShell 5.1 has not, what it calls and defines, and
        .NET calls on files whose paths were not resolved for .NET.
#>
[CmdletBinding()]
param([Parameter(Mandatory = $true)] [string] $Folder)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'

function Test-Set {
    # Whether a node has a property, which 5.1 may not know, and it is not empty.
    [CmdletBinding()]
    [OutputType([bool])]
    param([object] $Node, [string] $Name)

    $property = $Node.PSObject.Properties[$Name]
    $null -ne $property -and [bool]$property.Value
}

# Short names of types that 5.1 does not know.
$shorter = '^(?:short|ushort|uint|ulong|semver)(?:\[\])?$'

# By name of the node's type: 5.1 has not all of them.
$newer = @{
    PipelineChainAst              = { $true }
    TernaryExpressionAst          = { $true }
    BinaryExpressionAst           = {
        # 5.1 makes a text of the block that would be called.
        "$($_.Operator)" -eq 'QuestionQuestion' -or ("$($_.Operator)" -match 'replace$' -and
            $_.Right -is [System.Management.Automation.Language.ArrayLiteralAst] -and
            $_.Right.Elements[1] -is [System.Management.Automation.Language.ScriptBlockExpressionAst])
    }
    NamedAttributeArgumentAst     = { $_.ArgumentName -eq 'ErrorMessage' }
    TypeConstraintAst             = { $_.TypeName.Name -match $shorter }
    TypeExpressionAst             = { $_.TypeName.Name -match $shorter }
    AssignmentStatementAst        = { "$($_.Operator)" -eq 'QuestionQuestionEquals' }
    MemberExpressionAst           = { Test-Set -Node $_ -Name 'NullConditional' }
    InvokeMemberExpressionAst     = {
        (Test-Set -Node $_ -Name 'NullConditional') -or (Test-Set -Node $_ -Name 'GenericTypeArguments')
    }
    IndexExpressionAst            = { Test-Set -Node $_ -Name 'NullConditional' }
    ScriptBlockAst                = { Test-Set -Node $_ -Name 'CleanBlock' }
    PipelineAst                   = { Test-Set -Node $_ -Name 'Background' }
    ConstantExpressionAst         = {
        $_.Extent.Text -match '^-?0b[01]|^[-0-9.]+(?:u|s|us|ul|y|uy|n)(?:[kmgtp]b)?$'
    }
    ExpandableStringExpressionAst = { $_.Extent.Text -cmatch '(?<!`)(?:``)*`(?:e|u\{)' }
    StringConstantExpressionAst   = {
        "$($_.StringConstantType)" -eq 'DoubleQuoted' -and $_.Extent.Text -cmatch '(?<!`)(?:``)*`(?:e|u\{)'
    }
}

function Get-Newer {
    # What 5.1 would not understand.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([object[]] $Node)

    foreach ($item in $Node) {
        $rule = $newer[$item.GetType().Name]
        if ($null -ne $rule -and ($item | ForEach-Object -Process $rule)) { Format-Place -Node $item }
    }
}

function Get-Called {
    # Commands by name; what a variable or a block holds has none.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([object[]] $Node)

    foreach ($item in $Node) {
        if ($item -isnot [System.Management.Automation.Language.CommandAst]) { continue }
        $name = $item.GetCommandName()
        if ($name) { $name }
    }
}

# How many of the first arguments are paths; one where nothing is said.
$paths = @{ Copy = 2; Move = 2; Replace = 3 }

function Get-UnresolvedPath {
    # Calls such as [System.IO.File]::Open(x), where x did not come from Resolve-NodePath.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([object[]] $Node)

    foreach ($call in $Node) {
        if ($call -isnot [System.Management.Automation.Language.InvokeMemberExpressionAst]) { continue }
        if ($call.Expression.Extent.Text -notmatch '^\[(?:System\.)?IO\.(?:File|Directory)\]$') { continue }
        $count = if ($paths.ContainsKey($call.Member.Value)) { $paths[$call.Member.Value] } else { 1 }
        # A call without arguments has none at all.
        $given = @($call.Arguments | Where-Object -FilterScript { $_ })
        $resolved = @($given | Select-Object -First $count | Where-Object -FilterScript { Test-Resolved -Argument $_ })
        if ($resolved.Count -lt $count) { Format-Place -Node $call }
    }
}

function Test-Resolved {
    # Whether a text is a call of Resolve-NodePath, or a variable that was set to one in the same function.
    [CmdletBinding()]
    [OutputType([bool])]
    param([object] $Argument)

    $text = $Argument.Extent.Text
    if ($text -match '^\(?Resolve-NodePath ') { return $true }
    if ($Argument -isnot [System.Management.Automation.Language.VariableExpressionAst]) { return $false }
    $scope = $Argument
    while ($scope.Parent -and $scope -isnot [System.Management.Automation.Language.FunctionDefinitionAst]) {
        $scope = $scope.Parent
    }
    # "$path.new" of a resolved $path is resolved too.
    $origin = '^{0} = (?:Resolve-NodePath |"(?<of>\$\w+)[.\\])' -f [regex]::Escape($text)
    $sets = @($scope.FindAll({
                param($Inner)
                $Inner -is [System.Management.Automation.Language.AssignmentStatementAst] -and
                $Inner.Left.Extent.Text -eq $text
            }, $true) | ForEach-Object -Process { $_.Extent.Text })
    $bad = @($sets | Where-Object -FilterScript { $_ -notmatch $origin })
    if ($sets.Count -eq 0 -or $bad.Count -gt 0) { return $false }
    foreach ($set in $sets) {
        if ($set -match '^\S+ = "(?<of>\$\w+)[.\\]' -and $scope.Extent.Text -notmatch (
                [regex]::Escape($Matches['of']) + ' = Resolve-NodePath ')) {
            return $false
        }
    }
    $true
}

function Format-Place {
    # Where a node is, and how it begins.
    [CmdletBinding()]
    [OutputType([string])]
    param([object] $Node)

    '{0}: {1}' -f $Node.Extent.StartLineNumber, ($Node.Extent.Text -split "`n")[0]
}

$files = foreach ($file in Get-ChildItem -LiteralPath $Folder -Recurse -File) {
    $errors = $null
    $tree = [System.Management.Automation.Language.Parser]::ParseFile($file.FullName, [ref]$null, [ref]$errors)
    $nodes = @($tree.FindAll({ $true }, $true))
    $defined = @($nodes | Where-Object -FilterScript {
            $_ -is [System.Management.Automation.Language.FunctionDefinitionAst]
        } | ForEach-Object -Process { $_.Name })
    [ordered]@{
        name       = $file.FullName.Substring($Folder.Length + 1).Replace('\', '/')
        errors     = @($errors | ForEach-Object -Process { '{0}: {1}' -f $_.Extent.StartLineNumber, $_.Message })
        newer      = @(Get-Newer -Node $nodes)
        defined    = $defined
        called     = @(Get-Called -Node $nodes | Sort-Object -Unique)
        unresolved = @(Get-UnresolvedPath -Node $nodes)
    }
}
$verbs = @(Get-Verb | ForEach-Object -Process { $_.Verb })
ConvertTo-Json -InputObject ([ordered]@{ files = @($files); verbs = $verbs }) -Depth 4 -Compress
