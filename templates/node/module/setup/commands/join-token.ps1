# Reads the file with the bootstrap token of a join.

function Read-NodeTokenFile {
    # Reads the bootstrap token of this run from a file.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath -PathType Leaf)) {
        $script:Run.Refused = $true
        throw "token file $LiteralPath not found; nothing was changed"
    }
    $script:Run.Token = "$(Get-Content -LiteralPath $LiteralPath -TotalCount 1)".Trim()
    if ($script:Run.Token -ne '') { $script:Run.Secrets += $script:Run.Token }
}

function Add-NodeTokenFile {
    # Reports that the token file still exists after the join: no step deletes a file of the user.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [string] $LiteralPath)

    if (-not (Test-Path -LiteralPath $LiteralPath)) { return }
    $left = "delete the token file $LiteralPath"
    $script:Run.Message = @($script:Run.Message, $left | Where-Object -FilterScript { $_ }) -join '; '
}
