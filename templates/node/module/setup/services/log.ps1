# Reads the logs of services.

function Get-NodeLogEnd {
    # The last lines of a log.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    $text = Read-NodeTextEnd -LiteralPath $LiteralPath -Bytes $script:Limit.ReportBytes
    $text.TrimEnd("`r", "`n") -split '\r?\n' | Select-Object -Last $script:Limit.ReportLines
}

function Get-NodeServiceLog {
    # The files to which nssm or kube-log-runner write a service's output.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    $paths = foreach ($step in Get-NodeKindStep -Kind service -Name $Name) {
        if ($null -ne $step['log']) { $step['log']['path'] }
        foreach ($part in $step['command']) {
            if ($part['text'].StartsWith('-log-file=')) { $part['text'].Substring(10) }
        }
    }
    $paths | Select-Object -Unique
}
