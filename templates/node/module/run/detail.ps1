# Why a test answers as it does.

function Write-NodeDetail {
    # Says why a test answers as it does; the walker keeps it with the result.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $Text)

    $script:Run.Details += $Text
}

function Read-NodeDetail {
    # What was said since the last time, as one text.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $script:Run.Details -join '; '
    $script:Run.Details = @()
}
