# Reads the output of programs that may hang.

function Read-NodeProgramOutput {
    # Standard output of a program, line by line; throws if the program fails or exceeds the time limit.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    $script = {
        param($Program, $Words)
        $all = @(& $Program @Words 2>&1)
        if ($LASTEXITCODE -ne 0) { throw "exit code ${LASTEXITCODE}: $all" }
        # Programs that succeed also write messages to stderr: these are not part of the result.
        $all | Where-Object -FilterScript { $_ -isnot [System.Management.Automation.ErrorRecord] } |
            ForEach-Object -Process { "$_" }
    }
    $program = Resolve-NodeProgram -FilePath $FilePath
    Invoke-NodeWithTimeout -Script $script -ArgumentList $program, $ArgumentList -Seconds $Seconds
}
