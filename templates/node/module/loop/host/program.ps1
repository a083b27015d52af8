# Runs native programs: all programs are started here.

function Invoke-Native {
    # Runs a program: arguments as a list, exit code checked, standard output returned line by line.
    [CmdletBinding()]
    [OutputType([string[]])]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter()] [string[]] $ArgumentList = @(),
        [Parameter()] [int[]] $SuccessCode = @(0),
        [Parameter()] [string] $InputText
    )

    $said = Read-NodeNative -FilePath $FilePath -ArgumentList $ArgumentList -InputText $InputText
    if ($SuccessCode -notcontains $said.Code) {
        throw ('{0}: exit code {1}: {2}' -f $FilePath, $said.Code, ($said.Lines -join ' '))
    }
    # Programs that succeed also write messages to stderr: these are not part of the result.
    $said.Lines | Where-Object -FilterScript { $_ -isnot [System.Management.Automation.ErrorRecord] } |
        ForEach-Object -Process { "$_" }
}

function Read-NodeNative {
    # Runs a program and returns its exit code and all lines of both outputs.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter()] [string[]] $ArgumentList = @(),
        [Parameter()] [string] $InputText
    )

    Assert-NodeArgument -FilePath $FilePath -ArgumentList $ArgumentList
    # .NET Framework writes a byte order mark to standard input if the console uses UTF-8, and no program accepts
    # JSON after it: https://github.com/dotnet/corefx/issues/35950
    if ($InputText -and [Console]::InputEncoding.GetPreamble().Length -gt 0) {
        [Console]::InputEncoding = New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false
    }
    # Resolve first: with the relaxed preference below, a missing program would not stop the run.
    $program = Resolve-NodeProgram -FilePath $FilePath

    # 5.1 turns redirected stderr lines into errors, and with 'Stop' the first one would end the run:
    # https://github.com/PowerShell/PowerShell/issues/3996
    $ErrorActionPreference = 'Continue'
    $lines = @(if ($InputText) { $InputText | & $program @ArgumentList 2>&1 } else {
            & $program @ArgumentList 2>&1
        })
    @{ Code = $LASTEXITCODE; Lines = $lines }
}

function Assert-NodeArgument {
    # Throws for arguments that do not arrive as they are. 5.1 drops empty arguments and quotes on the way to the
    # program, and a backslash at the end escapes the closing quote:
    # https://github.com/PowerShell/PowerShell/issues/1995,
    # https://github.com/PowerShell/PowerShell/issues/7400
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter(Mandatory = $true)] [AllowEmptyCollection()] [AllowEmptyString()] [string[]] $ArgumentList
    )

    if ($ArgumentList -contains '' -or "$ArgumentList".Contains('"') -or $ArgumentList -match '\s.*\\$') {
        throw "an argument of $FilePath is empty, holds a quote, or has a blank and a backslash at its end"
    }
}

function Read-NodeLimitedNative {
    # Runs a program and returns its exit code and both outputs; ends the program, and throws, if it runs longer or
    # writes more than it may.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList,
        # Variables that the program gets in addition.
        [Parameter(Mandatory = $true)] [hashtable] $Environment,
        [Parameter(Mandatory = $true)] [int] $Seconds,
        [Parameter(Mandatory = $true)] [int] $Characters
    )

    Assert-NodeArgument -FilePath $FilePath -ArgumentList $ArgumentList
    $words = @($ArgumentList | ForEach-Object -Process { if ($_ -match '\s') { '"{0}"' -f $_ } else { $_ } })
    $start = New-Object -TypeName System.Diagnostics.ProcessStartInfo -ArgumentList (
        (Resolve-NodeProgram -FilePath $FilePath), ($words -join ' ')
    )
    $start.UseShellExecute = $false
    $start.CreateNoWindow = $true
    $start.RedirectStandardInput = $true
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    # Programs in Go write UTF-8, also where they quote an error of Windows in its language.
    $start.StandardOutputEncoding = [System.Text.Encoding]::UTF8
    $start.StandardErrorEncoding = [System.Text.Encoding]::UTF8
    $time = New-Object -TypeName System.Threading.CancellationTokenSource -ArgumentList (1000 * $Seconds)
    # Not in EnvironmentVariables of $start: .NET Framework fails if this process has both Path and PATH.
    # https://github.com/dotnet/corefx/issues/13146
    $before = @{}
    try {
        foreach ($name in $Environment.Keys) {
            $item = Get-Item -LiteralPath "env:$name" -ErrorAction SilentlyContinue
            $before[$name] = if ($null -ne $item) { $item.Value }
            Set-Item -LiteralPath "env:$name" -Value $Environment[$name]
        }
        $process = [System.Diagnostics.Process]::Start($start)
    } finally {
        foreach ($name in @($before.Keys)) { Set-Item -LiteralPath "env:$name" -Value $before[$name] }
    }
    try {
        # No input: a program that asks gets an error.
        $process.StandardInput.Close()
        $errors = $process.StandardError.ReadToEndAsync()
        $text = New-Object -TypeName System.Text.StringBuilder
        $buffer = New-Object -TypeName 'char[]' -ArgumentList 65536
        do {
            $part = $process.StandardOutput.ReadAsync($buffer, 0, $buffer.Length)
            # Ctrl-C ends a script only between two calls of .NET, and a pull of an image takes long.
            while (-not $part.Wait(500, $time.Token)) { continue }
            $null = $text.Append($buffer, 0, $part.Result)
            if ($text.Length -gt $Characters) {
                throw "${FilePath}: an answer of more than $Characters characters"
            }
        } while ($part.Result -gt 0)
        $errors.Wait($time.Token)
        if (-not $process.WaitForExit(1000)) { throw "${FilePath}: it did not end after its output" }
        @{ Code = $process.ExitCode; Text = $text.ToString(); Problem = $errors.Result }
    } catch [System.OperationCanceledException] {
        throw "${FilePath}: no answer within $Seconds s"
    } finally {
        if (-not $process.HasExited) { $process.Kill() }
        $process.Dispose()
        $time.Dispose()
    }
}

function Read-NodeUnicode {
    # Standard output, as one text, of a program that writes UTF-8, as those in Go do. PowerShell would read it in
    # the code page of the console: in that of Japanese, half a character takes the quote behind it.
    # https://github.com/PowerShell/PowerShell/issues/21456
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter(Mandatory = $true)] [string[]] $ArgumentList,
        [Parameter(Mandatory = $true)] [int] $Seconds
    )

    $limit = @{ Environment = @{}; Seconds = $Seconds; Characters = $script:Limit.RequestLength }
    $said = Read-NodeLimitedNative -FilePath $FilePath -ArgumentList $ArgumentList @limit
    if ($said.Code -eq 0) { return $said.Text }
    $why = "$($said.Text) $($said.Problem)".Trim() -replace '\s*[\r\n]+\s*', ' '
    throw "${FilePath}: exit code $($said.Code): $why"
}

function Find-NodeProgram {
    # The path of a program that this bundle installs, or an empty string.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    foreach ($step in $script:Run.Document['steps']) {
        $paths = @($step['path']) + @(foreach ($member in $step['members']) { $member['path'] })
        foreach ($path in $paths) { if ("$path".EndsWith("\$Name")) { return $path } }
    }
    ''
}

function Resolve-NodeProgram {
    # The file of a program. A bare name means a program of Windows: PATH may list another tar.exe first.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $FilePath)

    if ($FilePath -match '[\\/]') {
        if (-not (Test-Path -LiteralPath $FilePath)) { throw "${FilePath}: program not found" }
        return Resolve-NodePath -LiteralPath $FilePath
    }
    $system = [Environment]::GetFolderPath('System')
    if ($system) {
        $path = Join-Path -Path $system -ChildPath $FilePath
        if (Test-Path -LiteralPath $path) { return $path }
    }
    @(Get-Command -Name $FilePath -CommandType Application -ErrorAction Stop)[0].Source
}
