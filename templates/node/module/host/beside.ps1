# Asks for what may never be answered.

# The PowerShell beside this one, where one is free.
$script:Beside = $null

function Invoke-NodeBeside {
    # What a script gives that runs in a PowerShell of its own, or an error after so many seconds: a cmdlet that
    # waits for a service which hangs cannot be cut off, only left behind.
    [CmdletBinding()]
    [OutputType([object])]
    param(
        # Sees nothing of this module.
        [Parameter(Mandatory = $true)] [scriptblock] $Script,
        [Parameter()] [object[]] $ArgumentList = @(),
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    if ($null -eq $script:Beside) { $script:Beside = [System.Management.Automation.PowerShell]::Create() }
    $beside = $script:Beside
    $beside.Commands.Clear()
    $beside.Streams.ClearStreams()
    $null = $beside.AddScript("$Script")
    foreach ($argument in $ArgumentList) { $null = $beside.AddArgument($argument) }
    $running = $beside.BeginInvoke()
    if (-not $running.AsyncWaitHandle.WaitOne($Seconds * 1000)) {
        $script:Beside = $null
        # Not Stop, which waits. A program is ended by it, a cmdlet where it can be.
        $null = $beside.BeginStop($null, $null)
        throw "no answer within $Seconds s"
    }
    try { $found = @($beside.EndInvoke($running)) } catch {
        # Its own words, not that this call has failed. One that failed answers nothing any more.
        $problem = $_
        $script:Beside = $null
        throw $problem.Exception.GetBaseException().Message
    }
    if ($found.Count -eq 0 -and $beside.Streams.Error.Count -gt 0) { throw "$($beside.Streams.Error[0])" }
    $found
}

function Read-NodeSaid {
    # The lines that a program says, or an error where it fails or takes longer than so many seconds.
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
        if ($LASTEXITCODE -ne 0) { throw "it ended with code ${LASTEXITCODE}: $all" }
        # What a program says on stderr is talk, even where it succeeds.
        $all | Where-Object -FilterScript { $_ -isnot [System.Management.Automation.ErrorRecord] } |
            ForEach-Object -Process { "$_" }
    }
    $program = Resolve-NodeProgram -FilePath $FilePath
    Invoke-NodeBeside -Script $script -ArgumentList $program, $ArgumentList -Seconds $Seconds
}
