# The type of an expression, as far as the script's text shows it.

function Get-Function {
    # The function that a node stands in, else the whole script.
    [CmdletBinding()]
    [OutputType([object])]
    param([object] $Node)

    while ($Node.Parent -and $Node -isnot [System.Management.Automation.Language.FunctionDefinitionAst]) {
        $Node = $Node.Parent
    }
    $Node
}

# By function, so that each is searched once.
$assignments = @{}
$typed = @{}

function Get-Assignment {
    # What is set in a function, in order.
    [CmdletBinding()]
    [OutputType([object[]])]
    param([object] $Function)

    if (-not $assignments.ContainsKey($Function)) {
        $assignments[$Function] = @($Function.FindAll({
                    param($Inner) $Inner -is [System.Management.Automation.Language.AssignmentStatementAst]
                }, $true))
    }
    $assignments[$Function]
}

function Get-Value {
    # What a variable was last set to before a node of the same function, or nothing; a cast before it counts.
    [CmdletBinding()]
    [OutputType([object])]
    param([object] $Variable)

    $text = $Variable.Extent.Text.Replace('@', '$')
    $last = $null
    foreach ($set in @(Get-Assignment -Function (Get-Function -Node $Variable))) {
        if ($set.Extent.EndOffset -gt $Variable.Extent.StartOffset) { continue }
        $cast = $set.Left -is [System.Management.Automation.Language.ConvertExpressionAst]
        if ($cast -and $set.Left.Child.Extent.Text -eq $text) { $last = $set.Left }
        if ($set.Left.Extent.Text -eq $text) { $last = $set.Right }
    }
    if ($last) { Get-Expression -Node $last }
}

function Get-Expression {
    # What parentheses and a statement of one expression hold.
    [CmdletBinding()]
    [OutputType([object])]
    param([object] $Node)

    while ($Node) {
        if ($Node -is [System.Management.Automation.Language.ParenExpressionAst]) { $Node = $Node.Pipeline }
        elseif ($Node -is [System.Management.Automation.Language.PipelineAst] -and
            $Node.PipelineElements.Count -eq 1) { $Node = $Node.PipelineElements[0] }
        elseif ($Node -is [System.Management.Automation.Language.CommandExpressionAst]) { $Node = $Node.Expression }
        else { break }
    }
    $Node
}

function Get-TypeText {
    # The whole name of a type, without the brackets of an array.
    [CmdletBinding()]
    [OutputType([string])]
    param([object] $TypeName, [switch] $Attribute)

    $type = if ($Attribute) { $TypeName.GetReflectionAttributeType() } else { $TypeName.GetReflectionType() }
    $text = if ($type) { $type.FullName } else { $TypeName.FullName }
    $text.Replace('[]', '')
}

function Get-Made {
    # The type that New-Object makes, and how many arguments it is made of.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([object] $Command)

    $made = @{ type = ''; count = 0 }
    $parameter = ''
    foreach ($element in @($Command.CommandElements | Select-Object -Skip 1)) {
        if ($element -is [System.Management.Automation.Language.CommandParameterAst]) {
            $parameter = $element.ParameterName
            continue
        }
        $value = Get-Expression -Node $element
        if ($parameter -eq 'ArgumentList') {
            $made.count = if ($value -is [System.Management.Automation.Language.ArrayLiteralAst]) {
                $value.Elements.Count
            } else { 1 }
            continue
        }
        if ($value -is [System.Management.Automation.Language.VariableExpressionAst]) {
            $value = Get-Value -Variable $value
        }
        if ($value -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $type = $value.Value -as [type]
            $name = if ($type) { $type.FullName } else { $value.Value }
            $made.type = if ($name.EndsWith('[]')) { 'System.Array' } else { $name }
        }
    }
    $made
}

function Get-Text {
    # The literal text of an expression, or of what a variable was last set to; nothing where it is none.
    [CmdletBinding()]
    [OutputType([string])]
    param([object] $Node)

    $value = Get-Expression -Node $Node
    if ($value -is [System.Management.Automation.Language.VariableExpressionAst]) {
        $value = Get-Value -Variable $value
    }
    if ($value -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $value.Value }
}

# Commands that give more in a later edition than in 5.1, and what they give.
$gives = @{ 'Get-Service' = 'System.ServiceProcess.ServiceController' }

function Get-Receiver {
    # The type of an expression, as far as the text shows it.
    [CmdletBinding()]
    [OutputType([string])]
    param([object] $Node)

    $node = Get-Expression -Node $Node
    switch ($(if ($node) { $node.GetType().Name })) {
        'TypeExpressionAst' { return Get-TypeText -TypeName $node.TypeName }
        'ConvertExpressionAst' {
            $whole = $node.Type.TypeName.FullName
            if ($whole -eq 'ordered') { return 'System.Collections.Specialized.OrderedDictionary' }
            if ($whole -notmatch '\[\]$|^(?:object|array)$') { return Get-TypeText -TypeName $node.Type.TypeName }
        }
        { $_ -in 'StringConstantExpressionAst', 'ExpandableStringExpressionAst' } { return 'System.String' }
        'HashtableAst' { return 'System.Collections.Hashtable' }
        'BinaryExpressionAst' { if ("$($node.Operator)" -in 'Format', 'Join') { return 'System.String' } }
        'CommandAst' {
            # Empty for a program whose path is computed.
            $name = "$($node.GetCommandName())"
            if ($name -eq 'New-Object') { return (Get-Made -Command $node).type }
            return "$($gives[$name])"
        }
        'InvokeMemberExpressionAst' {
            if ($node.Static -and $node.Member.Value -eq 'new') { return Get-Receiver -Node $node.Expression }
        }
        'VariableExpressionAst' { return Get-VariableType -Variable $node }
    }
    ''
}

function Get-VariableType {
    # The type of a variable: of what it was last set to, else of the parameter that it is.
    [CmdletBinding()]
    [OutputType([string])]
    param([object] $Variable)

    $value = Get-Value -Variable $Variable
    if ($value) { return Get-Receiver -Node $value }
    $function = Get-Function -Node $Variable
    if (-not $typed.ContainsKey($function)) {
        $typed[$function] = @($function.FindAll({
                    param($Inner) $Inner -is [System.Management.Automation.Language.ParameterAst]
                }, $true))
    }
    $parameters = @($typed[$function] | Where-Object -FilterScript {
            $_.Name.Extent.Text -eq $Variable.Extent.Text
        })
    foreach ($type in @($parameters | ForEach-Object -Process { $_.Attributes } | Where-Object -FilterScript {
                $_ -is [System.Management.Automation.Language.TypeConstraintAst]
            })) {
        if ($type.TypeName.FullName -notmatch '\[\]$|^(?:object|array|switch)$') {
            return Get-TypeText -TypeName $type.TypeName
        }
    }
    ''
}
