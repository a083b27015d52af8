# Runs commands that may hang, with a time limit.

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
        throw (New-Object -TypeName System.TimeoutException -ArgumentList "no answer within $Seconds s")
    }
    try { $found = @($shell.EndInvoke($running)) } catch {
        # The error of the script, not of this call. A PowerShell that failed cannot be used again.
        $script:TimedShell = $null
        throw $_.Exception.GetBaseException().Message
    }
    if ($found.Count -eq 0 -and $shell.Streams.Error.Count -gt 0) { throw "$($shell.Streams.Error[0])" }
    $found
}
