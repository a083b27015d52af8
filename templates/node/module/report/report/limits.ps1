# Limits the lists of a report.

function Limit-NodeReportItem {
    # The first items of a list; records how many are omitted.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $What,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [object[]] $Item
    )

    if ($Item.Count -gt $script:Limit.ReportItems) {
        $why = "only $($script:Limit.ReportItems) of $($Item.Count) are in the report"
        $null = Add-NodeReadFailure -What $What -Why $why
    }
    $Item | Select-Object -First $script:Limit.ReportItems
}

function Get-NodeReportItem {
    # Selected properties of the objects that a Windows cmdlet returns.
    [CmdletBinding()]
    [OutputType([object[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $What,
        [Parameter(Mandatory = $true)] [string[]] $Property,
        [Parameter(Mandatory = $true)] [scriptblock] $Script,
        [Parameter()] [object[]] $ArgumentList = @(),
        # Records an error and continues, for one of several queries.
        [Parameter()] [switch] $Optional
    )

    try {
        $limit = $script:Limit.ReportSeconds
        # HNS returns $null for an empty list.
        $found = @(Invoke-NodeWithTimeout -Script $Script -ArgumentList $ArgumentList -Seconds $limit |
                Where-Object -FilterScript { $null -ne $_ })
    } catch {
        if (-not $Optional) { throw }
        $null = Add-NodeReadFailure -What $What -Why $_.Exception.GetBaseException().Message
        return
    }
    Limit-NodeReportItem -What $What -Item $found | ConvertTo-NodeReportValue -Property $Property
}

function ConvertTo-NodeReportValue {
    # Selected properties of an object, as strings.
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
