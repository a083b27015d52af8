# Runs native programs: the one place where any is started.

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
        throw ('{0} ended with code {1}: {2}' -f $FilePath, $said.Code, ($said.Lines -join ' '))
    }
    # What a program says on stderr is talk, even where it succeeds.
    $said.Lines | Where-Object -FilterScript { $_ -isnot [System.Management.Automation.ErrorRecord] } |
        ForEach-Object -Process { "$_" }
}

function Read-NodeNative {
    # Runs a program: its code, and all that it said on both of its outputs, line by line.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [Parameter(Mandatory = $true)] [string] $FilePath,
        [Parameter()] [string[]] $ArgumentList = @(),
        [Parameter()] [string] $InputText
    )

    # 5.1 loses the first two on the way to the program, and the last one takes what follows it along:
    # https://github.com/PowerShell/PowerShell/issues/1995, https://github.com/PowerShell/PowerShell/issues/7400
    if ($ArgumentList -contains '' -or "$ArgumentList".Contains('"') -or $ArgumentList -match '\s.*\\$') {
        throw "an argument of $FilePath is empty, holds a quote, or has a blank and ends with a backslash"
    }
    # .NET Framework begins standard input with a byte order mark where the console is one of UTF-8, and no
    # program reads JSON after that: https://github.com/dotnet/corefx/issues/35950
    if ($InputText -and [Console]::InputEncoding.GetPreamble().Length -gt 0) {
        [Console]::InputEncoding = New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false
    }
    # Resolve first: once the preference is relaxed, a missing program would not stop us.
    $program = Resolve-NodeProgram -FilePath $FilePath

    # 5.1 makes errors of redirected stderr lines, and with 'Stop' the first one would end the run:
    # https://github.com/PowerShell/PowerShell/issues/3996
    $ErrorActionPreference = 'Continue'
    $lines = @(if ($InputText) { $InputText | & $program @ArgumentList 2>&1 } else {
            & $program @ArgumentList 2>&1
        })
    @{ Code = $LASTEXITCODE; Lines = $lines }
}

function Resolve-NodeProgram {
    # The file of a program. A bare name means Windows' own: PATH may hold another tar.exe before it.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [string] $FilePath)

    if ($FilePath -match '[\\/]') {
        if (-not (Test-Path -LiteralPath $FilePath)) { throw "there is no program $FilePath" }
        return Resolve-NodePath -LiteralPath $FilePath
    }
    $system = [Environment]::GetFolderPath('System')
    if ($system) {
        $path = Join-Path -Path $system -ChildPath $FilePath
        if (Test-Path -LiteralPath $path) { return $path }
    }
    @(Get-Command -Name $FilePath -CommandType Application -ErrorAction Stop)[0].Source
}
