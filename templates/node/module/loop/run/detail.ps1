# Collects the reasons for the result of a test.

function Write-NodeDetail {
    # Adds a reason; it is stored with the result of the step.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $Text)

    $script:Run.Details += $Text
}

function Read-NodeDetail {
    # The reasons since the last call, as one text.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $script:Run.Details -join '; '
    $script:Run.Details = @()
}
