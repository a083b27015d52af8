# What programs do that run as services: by name, as far as the scripts can see it.

# Fails where the program would end at once. What takes time is planned for later.
$script:Daemon = @{
    containerd   = {
        param($Arguments)
        $config = Get-HostArgument -Argument $Arguments -Name '--config'
        if ($config -and -not (Test-Path -LiteralPath $config)) { throw "containerd: failed to load TOML: $config" }
        if ($script:Machine.Features['Containers'] -ne 'Installed') { throw 'containerd: the compute service is not there' }
    }
    'kube-proxy' = {
        param($Arguments)
        $config = Get-HostArgument -Argument $Arguments -Name '--config'
        $document = Get-Content -LiteralPath $config -Raw | ConvertFrom-Json
        $kubeconfig = $document.clientConnection.kubeconfig
        if (-not (Test-Path -LiteralPath $kubeconfig)) { throw "kube-proxy: stat ${kubeconfig}: no such file" }
        $network = @($script:Machine.Networks | Where-Object -FilterScript { $_.Name -eq $document.winkernel.networkName })
        if ($network.Count -eq 0) { throw "kube-proxy: there is no network $($document.winkernel.networkName)" }
        if ($network[0].Type -eq 'Overlay' -and -not $document.winkernel.sourceVip) { throw 'kube-proxy: source-vip flag not set' }
        $script:Machine.PolicyLists = @(@{ ID = 'list-1'; State = 1; References = '' })
    }
}

$script:Happening['nssm'] = {
    # nssm starts a program again that has ended, as long as the service runs.
    # https://nssm.cc/usage : the default of AppExit is Restart.
    param($Name)
    if ($script:Machine.Running.ContainsKey($Name)) { Start-HostDaemon -Name $Name }
}

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
    if ($command[0] -match 'svchost\.exe$') { return }
    Assert-HostProgram -Path $command[0]
    $wrapped = $command[0].EndsWith('\nssm.exe')
    if ($wrapped) {
        $inner = Get-HostServiceValue -Name $Name -Below 'Parameters' -Value 'Application'
        $rest = Split-HostCommandLine -Text "$(Get-HostServiceValue -Name $Name -Below 'Parameters' -Value 'AppParameters')"
        $command = @($inner) + @($rest)
        $log = Get-HostServiceValue -Name $Name -Below 'Parameters' -Value 'AppStdout'
        if ($log -and -not (Test-Path -LiteralPath (Split-Path -Path $log))) { throw "there is no folder for $log" }
    } elseif ($command[0].EndsWith('\kube-log-runner.exe')) {
        $log = Get-HostArgument -Argument $command -Name '-log-file'
        if (-not (Test-Path -LiteralPath (Split-Path -Path $log))) { throw "there is no folder for $log" }
        $start = 1
        while ($command[$start].StartsWith('-')) { $start++ }
        $command = $command[$start..($command.Count - 1)]
    }
    Assert-HostProgram -Path $command[0]
    $program = $command[0].Substring($command[0].LastIndexOf('\') + 1) -replace '\.exe$'
    $daemon = $script:Daemon[$program]
    if ($null -eq $daemon) { throw "$program does not answer the service manager" }
    $arguments = @($command | Select-Object -Skip 1)
    if (-not $wrapped) { return & $daemon -Arguments $arguments }
    # The service is the wrapper: it runs, whatever becomes of its program.
    $script:Machine.Running[$Name] = $script:Machine.Seconds
    try {
        & $daemon -Arguments $arguments
    } catch {
        $script:Machine.Events += "$Name : $_"
        Add-HostDue -After 60 -Name 'nssm' -Subject $Name
    }
}
