# Reads port ranges with netsh.exe, whose output is in the language of Windows: only its numbers count.

function ConvertFrom-NodePortRange {
    # First and last port of '65330' or '30000-32767'.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [string] $Ports)

    $ends = [int[]]$Ports.Split('-')
    @{ From = $ends[0]; To = $ends[-1] }
}

function Get-NodeDynamicPort {
    # First and last dynamic TCP port.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()

    $lines = Invoke-Native -FilePath 'netsh.exe' -ArgumentList 'interface', 'ipv4', 'show', 'dynamicport', 'tcp'
    $start, $count = @($lines | Where-Object -FilterScript { $_ -match ':\s*\d+\s*$' } |
            ForEach-Object -Process { [int]($_ -replace '^.*:\s*') })
    if ($null -eq $count) { throw "netsh.exe shows no dynamic ports: $($lines -join ' ')" }
    @{ From = $start; To = $start + $count - 1 }
}

function Get-NodeExcludedPort {
    # Excluded port ranges of a protocol; Administered for those that netsh.exe set, not a program such as HNS.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [ValidateSet('tcp', 'udp')] [string] $Protocol)

    $words = 'interface', 'ipv4', 'show', 'excludedportrange', "protocol=$Protocol"
    foreach ($line in Invoke-Native -FilePath 'netsh.exe' -ArgumentList $words) {
        if ($line -notmatch '^\s*(\d+)\s+(\d+)\s*(\*?)\s*$') { continue }
        @{ From = [int]$Matches[1]; To = [int]$Matches[2]; Administered = $Matches[3] -eq '*' }
    }
}
