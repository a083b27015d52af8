# Native programs: functions in the place of files, called through the module's own Invoke-Native.

# Until when what runs with a time limit may run.
$script:Limit = [double]::MaxValue

# Programs that were started since Clear-HostCall.
$script:Programs = @()

function Get-HostStarted { $script:Programs }

# By name: gets its arguments and the text of standard input, writes lines, and gives an exit code with exit.
$script:Program = @{}

function Use-HostProgram {
    # The seams: the module finds a test function instead of a program of Windows, and its clock
    # is the machine's.
    param([System.Management.Automation.PSModuleInfo] $Module)

    & $Module {
        param($Find, $Clock, $Limited, $Listener, $Log, $Beside)
        $script:HostLog = $Log
        function script:Write-NodeEvent {
            param([int] $Id, [string] $Type, [string] $Text)
            & $script:HostLog $Id $Type $Text
        }
        $script:HostListener = $Listener
        $script:NodeListener = ${function:Read-NodeListener}
        function script:Read-NodeListener {
            param([string] $Address, [int] $Port, [string] $Path)
            & $script:HostListener $Address $Port $Path
        }
        $script:HostLimited = $Limited
        $script:NodeLimited = ${function:Read-NodeLimitedNative}
        function script:Read-NodeLimitedNative {
            param([string] $FilePath, [string[]] $ArgumentList, [hashtable] $Environment, [int] $Seconds, [int] $Characters)
            Assert-NodeArgument -FilePath $FilePath -ArgumentList $ArgumentList
            & $script:HostLimited $FilePath $ArgumentList $Seconds $Characters
        }
        # Scripts with a time limit run here like all others; a test can select the module's function.
        $script:HostBeside = $Beside
        $script:NodeBeside = ${function:Invoke-NodeWithTimeout}
        function script:Invoke-NodeWithTimeout {
            param([scriptblock] $Script, [object[]] $ArgumentList, [int] $Seconds)
            & $script:HostBeside $Script $ArgumentList $Seconds
        }
        $script:FindHostProgram = $Find
        function script:Resolve-NodeProgram {
            param([string] $FilePath)
            & $script:FindHostProgram $FilePath
        }
        $script:HostClock = $Clock
        function script:Read-NodeClock {
            param([double] $After = 0)
            & $script:HostClock $After
        }
    } { param($FilePath) Find-HostProgram -FilePath $FilePath } {
        param($After)
        if ($After -gt 0) { Start-Sleep -Seconds $After }
        Get-HostTime
    } { Invoke-HostLimited @args } { Get-HostAnswer @args } { Add-HostEvent @args } { Invoke-HostBeside @args }
}

function Invoke-HostLimited {
    # A program with a time limit and a limit of its output: what Read-NodeLimitedNative of the module gives.
    param([string] $FilePath, [string[]] $ArgumentList, [int] $Seconds, [int] $Characters)

    $name = (Find-HostProgram -FilePath $FilePath) -replace '^HostProgram-'
    $from = $script:Machine.Seconds
    $answer = Invoke-HostProgram -Name $name -Argument $ArgumentList -Text ''
    if ($script:Machine.Seconds -gt $from + $Seconds) {
        $script:Machine.Seconds = $from + $Seconds
        throw "${FilePath}: no answer within $Seconds s"
    }
    $text = $answer.Out -join "`n"
    if ($text.Length -gt $Characters) { throw "${FilePath}: an answer of more than $Characters characters" }
    @{ Code = $answer.Code; Text = $text; Problem = $answer.Err -join "`n" }
}

function Invoke-HostBeside {
    # The output of a script, unless it takes as long as the limit: what hangs is left then.
    param([scriptblock] $Script, [object[]] $ArgumentList, [int] $Seconds)

    $outer = $script:Limit
    $until = $script:Machine.Seconds + $Seconds
    $script:Limit = [math]::Min($outer, $until)
    try {
        $found = @(& $Script @ArgumentList)
    } catch {
        if ($script:Machine.Seconds -lt $script:Limit) { throw }
    } finally {
        $late = $script:Machine.Seconds -ge $script:Limit
        $script:Limit = $outer
    }
    if ($late) { throw [System.TimeoutException]::new("no answer within $Seconds s") }
    $found
}

function Find-HostProgram {
    # Name of the command that stands in for a program. A path must lead to a file that is a program.
    param([string] $FilePath)

    $name = $FilePath.Substring($FilePath.LastIndexOf('\') + 1) -replace '\.exe$'
    if ($FilePath -match '[\\/]') {
        if (-not (Test-Path -LiteralPath $FilePath)) { throw "there is no program $FilePath" }
        Assert-HostProgram -Path $FilePath
    }
    if (-not $script:Program.ContainsKey($name)) { throw "nothing stands in for $name" }
    "HostProgram-$name"
}

function Add-HostProgram {
    # Makes the global function that Invoke-Native calls.
    param([string] $Name, [scriptblock] $Body)

    $script:Program[$Name] = $Body
    $run = {
        $text = @($input) -join "`n"
        $answer = Invoke-HostProgram -Name $Name -Argument $args -Text $text
        $global:LASTEXITCODE = $answer.Code
        ConvertTo-HostConsole -Name $Name -Line $answer.Out
        # Lines on standard error are errors in a script of 5.1.
        foreach ($line in $answer.Err) { Write-Error -Message $line -ErrorAction Continue }
    }.GetNewClosure()
    Set-Item -Path "function:global:HostProgram-$Name" -Value $run
}

function ConvertTo-HostConsole {
    # Lines as PowerShell reads them: in the code page of the console, though programs in Go write UTF-8.
    # https://github.com/PowerShell/PowerShell/issues/21456
    param([string] $Name, [string[]] $Line)

    if ($Name -notin 'crictl', 'ctr', 'host-local', 'kubeadm') { return $Line }
    $console = [System.Text.Encoding]::GetEncoding($script:Machine.CodePage)
    foreach ($one in $Line) { $console.GetString([System.Text.Encoding]::UTF8.GetBytes($one)) }
}

function Invoke-HostProgram {
    # Runs a stand-in; what it throws is its last word on standard error, and code 1 unless it says another.
    param([string] $Name, [object[]] $Argument, [string] $Text)

    $script:Programs += $Name
    $call = @{ Out = @(); Err = @(); Code = 0; Argument = @($Argument | ForEach-Object -Process { "$_" }); Text = $Text }
    $short = "$Name $($call.Argument | Select-Object -First 1)".Trim()
    try {
        # https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw : 32,767 characters.
        if (($call.Argument -join ' ').Length + $Name.Length -gt 32766) { throw 'The filename or extension is too long' }
        Assert-HostHealth -On $short
        & $script:Program[$Name] $call
    } catch {
        $call.Err += "$_"
        if ($call.Code -eq 0) { $call.Code = 1 }
    }
    $call
}
