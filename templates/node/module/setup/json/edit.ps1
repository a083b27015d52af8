# Sets values in a JSON document.

function Edit-NodeJson {
    # Sets the value at a JSON pointer (RFC 6901); all but its last part must exist.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [object] $Document,
        [Parameter(Mandatory = $true)] [ValidatePattern('^/')] [string] $Pointer,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Value
    )

    $parts = @($Pointer.Substring(1).Split('/') | ForEach-Object -Process {
            $_.Replace('~1', '/').Replace('~0', '~')
        })
    $target = $Document
    for ($index = 0; $index -lt $parts.Count - 1; $index++) {
        # No expression if here: it would unroll a list with one element.
        if ($target -is [System.Collections.IList]) {
            $target = $target[[int]$parts[$index]]
        } else {
            $target = $target[$parts[$index]]
        }
        if ($null -eq $target) { throw "${Pointer}: not found in the document" }
    }
    $last = $parts[-1]
    if ($target -is [System.Collections.IList]) { $target[[int]$last] = $Value } else { $target[$last] = $Value }
}
