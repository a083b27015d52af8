# Inserts node facts into texts.

function Resolve-NodeArgument {
    # Joins texts and facts.
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
    # The JSON template of a step with this node's facts inserted.
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
    # Whether a step contains a value that is known only on the node.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($Step['kind'] -ceq 'derivedFile') { return $true }
    if ($Step['kind'] -cne 'service') { return $false }
    $arguments = @($Step['command']) + @($Step['environment'] | ForEach-Object -Process { $_['value'] })
    @($arguments | Where-Object -FilterScript { $null -ne $_ -and $null -ne $_['fact'] }).Count -gt 0
}
