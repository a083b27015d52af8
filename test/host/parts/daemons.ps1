# Programs that run as services: how their command lines become calls of stand-ins.

# By name: fails where the program ends before it has answered the service manager. What takes time is planned for later.
$script:Daemon = @{}

function Get-HostArgument {
    # The value of a flag: --name=value or --name value.
    param([string[]] $Argument, [string] $Name)

    for ($index = 0; $index -lt $Argument.Count; $index++) {
        if ($Argument[$index].StartsWith("$Name=")) { return $Argument[$index].Substring($Name.Length + 1) }
        if ($Argument[$index] -eq $Name -and $index + 1 -lt $Argument.Count) { return $Argument[$index + 1] }
    }
    ''
}

function Split-HostCommandLine {
    # A command line taken apart as Windows does; a path with a space and no quotes falls apart.
    # https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
    param([string] $Text)

    foreach ($match in [regex]::Matches($Text, '(?:"(?:[^"\\]|\\.)*"|[^\s"])+')) {
        $match.Value -replace '"', '' -replace '\\\\$', '\'
    }
}

function Assert-HostProgram {
    # Fails where a file is missing or is no program, as Windows does.
    param([string] $Path)

    if (-not (Test-Path -LiteralPath $Path)) { throw "The system cannot find the file specified: $Path" }
    $first = Get-Content -LiteralPath $Path -TotalCount 1
    if ("$first" -notmatch '^program ') { throw "$Path is not a valid Win32 application." }
}

function Start-HostDaemon {
    # Runs a service's program; one under a wrapper or a log runner by the program that those run.
    param([string] $Name)

    $command = @(Split-HostCommandLine -Text (Get-HostServiceValue -Name $Name -Value 'ImagePath'))
    if ($command[0] -match 'svchost\.exe$') { $script:Machine.Running[$Name] = $script:Machine.Seconds; return }
    Assert-HostProgram -Path $command[0]
    if ($command[0].EndsWith('\nssm.exe')) { return Start-HostWrapped -Name $Name }
    if ($command[0].EndsWith('\kube-log-runner.exe')) {
        Open-HostLog -Name $Name -Command $command
        $start = 1
        while ($command[$start].StartsWith('-')) { $start++ }
        $command = $command[$start..($command.Count - 1)]
    }
    Assert-HostProgram -Path $command[0]
    # What it plans at once belongs to this start.
    $script:Machine.Running[$Name] = $script:Machine.Seconds
    try {
        Start-HostProgram -Path $command[0] -Argument @($command | Select-Object -Skip 1) -Name $Name
    } catch {
        $script:Machine.Running.Remove($Name)
        throw
    }
    Write-HostLog -Name $Name -Bytes 1000
}

function Start-HostProgram {
    # Runs what stands in for a program, in the name of a service.
    param([string] $Path, [string[]] $Argument, [string] $Name)

    $program = $Path.Substring($Path.LastIndexOf('\') + 1) -replace '\.exe$'
    $daemon = $script:Daemon[$program]
    if ($null -eq $daemon) { throw "$program does not answer the service manager" }
    & $daemon -Arguments $Argument -Name $Name
    Add-HostCrash -Name $Name
}
