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

    # 5.1 drops empty arguments and quotes on the way to the program, and a backslash at the end escapes the
    # closing quote: https://github.com/PowerShell/PowerShell/issues/1995,
    # https://github.com/PowerShell/PowerShell/issues/7400
    if ($ArgumentList -contains '' -or "$ArgumentList".Contains('"') -or $ArgumentList -match '\s.*\\$') {
        throw "an argument of $FilePath is empty, holds a quote, or has a blank and a backslash at its end"
    }
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
