# The memory of earlier runs, as it is read.

function Read-NodeState {
    # The memory of earlier runs, or an empty one.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $state = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    # A power cut while it was replaced leaves it under the name of the old one.
    $paths = @($LiteralPath, "$LiteralPath.winnode-old" | Where-Object -FilterScript { Test-Path -LiteralPath $_ })
    foreach ($path in @($paths | Select-Object -First 1)) {
        try {
            $state = ConvertFrom-NodeJson -Text (Read-NodeText -LiteralPath $path)
        } catch {
            throw "the memory in $path cannot be read: $($_.Exception.Message)"
        }
    }
    $empty = [ordered]@{
        apiVersion = 'winnode/v1'; kind = 'NodeState'; joined = $false; boot = ''; bundle = ''; suspended = ''
        restarts = @(); stopped = @(); folders = @(); registryKeys = @()
        before   = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
        networks = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
        health   = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
        reads    = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
        routes   = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
        receipts = New-Object -TypeName System.Collections.Specialized.OrderedDictionary
    }
    foreach ($name in @($empty.Keys)) { if (-not $state.Contains($name)) { $state[$name] = $empty[$name] } }
    $state
}
