# Runs cmdlets and programs that may hang, with a time limit.

# A second PowerShell in this process, if it is idle.
$script:TimedShell = $null

function Invoke-NodeWithTimeout {
    # Returns the output of a script that runs in a second PowerShell, or throws after the time limit: a cmdlet
    # that waits for a hung service cannot be interrupted, only abandoned.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        # Cannot use this module's functions or variables.
        [Parameter(Mandatory = $true)] [scriptblock] $Script,
        [Parameter()] [object[]] $ArgumentList = @(),
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    if ($null -eq $script:TimedShell) { $script:TimedShell = [System.Management.Automation.PowerShell]::Create() }
    $shell = $script:TimedShell
    $shell.Commands.Clear()
    $shell.Streams.ClearStreams()
    $null = $shell.AddScript("$Script")
    foreach ($argument in $ArgumentList) { $null = $shell.AddArgument($argument) }
    $running = $shell.BeginInvoke()
    if (-not $running.AsyncWaitHandle.WaitOne($Seconds * 1000)) {
        $script:TimedShell = $null
        # Not Stop, which would wait. It ends a program, and a cmdlet that can be stopped.
        $null = $shell.BeginStop($null, $null)
        throw "no answer within $Seconds s"
    }
    try { $found = @($shell.EndInvoke($running)) } catch {
        # The error of the script, not of this call. A PowerShell that failed cannot be used again.
        $script:TimedShell = $null
        throw $_.Exception.GetBaseException().Message
    }
    if ($found.Count -eq 0 -and $shell.Streams.Error.Count -gt 0) { throw "$($shell.Streams.Error[0])" }
    $found
}

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
