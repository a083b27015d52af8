# Finds the services that use a file.

function Get-NodeServiceUsing {
    # Names of the services in node.json that run a file, or read it at their start.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    foreach ($step in Get-NodeKindStep -Kind service) {
        $texts = @($step['command'] | ForEach-Object -Process { $_['text'] }) + @("$($step['wrapper'])")
        $uses = @($texts | Where-Object -FilterScript {
                $_.EndsWith($LiteralPath, [System.StringComparison]::OrdinalIgnoreCase)
            })
        if ($uses.Count -gt 0) { $step['name'] }
    }
}
