# Keeps the lists of a report within a size.

function Limit-NodeReportItem {
    # The first items of a list; how many more there are is noted.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $What,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Item
    )

    if ($Item.Count -gt $script:Limit.ReportItems) {
        $null = Add-NodeUnread -What $What -Why "only $($script:Limit.ReportItems) of $($Item.Count) are here"
    }
    $Item | Select-Object -First $script:Limit.ReportItems
}

function Get-NodeReportItem {
    # Only named properties of what a cmdlet of Windows gives.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $What,
        [Parameter(Mandatory = $true)] [string[]] $Property,
        [Parameter(Mandatory = $true)] [scriptblock] $Script,
        [Parameter()] [object[]] $ArgumentList = @(),
        # Where it is one question of several: what it does not answer is noted, and the others are asked.
        [Parameter()] [switch] $Optional
    )

    try {
        $limit = $script:Limit.ReportSeconds
        $found = @(Invoke-NodeBeside -Script $Script -ArgumentList $ArgumentList -Seconds $limit)
    } catch {
        $problem = $_
        if (-not $Optional) { throw }
        $null = Add-NodeUnread -What $What -Why $problem.Exception.GetBaseException().Message
        return
    }
    Limit-NodeReportItem -What $What -Item $found | ConvertTo-NodeReportValue -Property $Property
}

function ConvertTo-NodeReportValue {
    # Only named properties of an object, as texts.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object] $InputObject,
        [Parameter(Mandatory = $true)] [string[]] $Property
    )

    process {
        $value = [ordered]@{}
        foreach ($name in $Property) {
            $found = $InputObject.PSObject.Properties[$name]
            if ($null -eq $found) { continue }
            $text = @($found.Value | ForEach-Object -Process { "$_" }) -join ', '
            $value[$name] = Limit-NodeReportText -Text $text
        }
        $value
    }
}
