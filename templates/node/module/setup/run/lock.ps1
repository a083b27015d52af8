# Allows one run at a time.

# ERROR_SHARING_VIOLATION as an HResult: https://learn.microsoft.com/dotnet/standard/io/handling-io-errors
$script:SharingViolation = -2147024864

function Lock-NodeState {
    # Locks out other runs with a file that only this process may open; Windows releases it when the process ends.
    # After a boot, the reconcile loop holds it for minutes, and a run that continues an installation waits.
    [CmdletBinding()]
    [OutputType([System.IO.FileStream])]
    param(
        [Parameter(Mandatory = $true)] [string] $LiteralPath,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    $path = Resolve-NodePath -LiteralPath $LiteralPath
    for ($passed = 0; ; $passed += 2) {
        try {
            return [System.IO.File]::Open($path, 'OpenOrCreate', 'ReadWrite', 'None')
        } catch [System.IO.IOException] {
            $problem = $_.Exception.GetBaseException()
            if ($problem.HResult -ne $script:SharingViolation) {
                throw "${LiteralPath}: cannot be opened: $($problem.Message)"
            }
            if ($passed -ge $Seconds) { throw 'another winnode run is in progress on this machine' }
        }
        if ($passed -eq 0) { Write-NodeLine -Text 'Another winnode run is in progress; waiting until it ends.' }
        $null = Read-NodeClock -After 2
    }
}
