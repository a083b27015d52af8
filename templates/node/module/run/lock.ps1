# One run at a time.

function Lock-NodeState {
    # Keeps other runs out: a file that only this process may open. It goes with the process, so it is never left
    # behind. After a start of the machine the loop has it for minutes, and somebody who goes on with an
    # installation then waits.
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
            if ($passed -ge $Seconds) { throw 'another run of winnode is at work on this machine' }
        }
        if ($passed -eq 0) { Write-NodeLine -Text 'Another run of winnode is at work; waiting for its end.' }
        $null = Read-NodeClock -After 2
    }
}
