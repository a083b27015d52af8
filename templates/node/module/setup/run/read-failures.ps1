# Records what could not be read.

function Add-NodeReadFailure {
    # Records what could not be read, and why; returns a value to use in its place.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param(
        [Parameter(Mandatory = $true)] [string] $What,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Why
    )

    $plain = Limit-NodeReportText -Text (($Why -replace '\s*[\r\n]+\s*', ' ').Trim())
    $script:Run.Unread += [ordered]@{ what = $What; why = $plain }
    [ordered]@{ error = $plain }
}

function Limit-NodeReportText {
    # A text without secrets, cut off if it is long. In this order: half a secret would not be recognized as a
    # secret.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $plain = Hide-NodeSecret -Text $Text
    if ($plain.Length -le $script:Limit.ReportValue) { return $plain }
    $plain.Substring(0, $script:Limit.ReportValue) + '...'
}
