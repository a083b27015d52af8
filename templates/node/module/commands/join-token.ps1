# The file in which somebody gives the token of a join.

function Read-NodeTokenFile {
    # Takes the token of this run out of a file.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath -PathType Leaf)) {
        $script:Run.Refused = $true
        throw "there is no file $LiteralPath for the token; nothing was changed"
    }
    $script:Run.Token = "$(Get-Content -LiteralPath $LiteralPath -TotalCount 1)".Trim()
    if ($script:Run.Token -ne '') { $script:Run.Secrets += $script:Run.Token }
}

function Add-NodeTokenFile {
    # Says that the file is still there after the join: it is the person's, so no step takes it away.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { return }
    $left = "the token still stands in $LiteralPath, which is yours to delete"
    $script:Run.Message = @($script:Run.Message, $left | Where-Object -FilterScript { $_ }) -join '; '
}
