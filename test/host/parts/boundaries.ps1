# Moments at which a run may be cut off: before and after each change, the machine is kept as it is then.

$script:Boundary = @{ Folder = ''; Count = 0 }

function Watch-HostBoundary {
    # Keeps the machine in folders 1, 2, 3... below a folder, before and after each call of these functions of
    # the module, wherever something differs from the moment before: each one of so many.
    param([string] $Folder, [string[]] $Function, [int] $Each = 1)

    Complete-HostWrapper
    $script:Boundary = @{ Folder = $Folder; Function = $Function; Each = $Each; Count = 0; Seen = 0; Last = '' }
    Add-HostWrapper
}

function Watch-HostCut {
    # Keeps the machine in one folder, at the Nth moment before or after a call of these functions.
    param([string] $Folder, [string[]] $Function, [int] $At)

    Complete-HostWrapper
    $script:Boundary = @{ Folder = $Folder; Function = $Function; At = $At; Count = 0; Seen = 0; Last = '' }
    Add-HostWrapper
}

function Complete-HostBoundary {
    # Ends that; how many were kept, of how many.
    Complete-HostWrapper
    $script:Boundary.Folder = ''
    @{ kept = $script:Boundary.Count; of = $script:Boundary.Seen }
}

function Add-HostBoundary {
    # Keeps the machine, where it differs from the moment before and its turn has come.
    if ($script:Boundary['At']) {
        $script:Boundary.Seen++
        if ($script:Boundary.Seen -ne $script:Boundary.At) { return }
        $script:Boundary.Count++
        return Copy-HostMachine -Destination $script:Boundary.Folder
    }
    $lines = Get-HostDescription
    $text = (@($lines.Keys | Sort-Object | ForEach-Object -Process { "$_=$($lines[$_])" }) -join "`n").GetHashCode()
    $boundary = $script:Boundary
    if ($text -eq $boundary.Last) { return }
    $boundary.Last = $text
    $boundary.Seen++
    if ($boundary.Seen % $boundary.Each -ne 0) { return }
    $boundary.Count++
    Copy-HostMachine -Destination "$($boundary.Folder)/$($boundary.Count)"
}

function Add-HostWrapper {
    # Puts a boundary before and after functions of the module under test, where one is loaded.
    $module = Get-Module -Name 'WinNode.Loop'
    if ($script:Boundary.Folder -eq '' -or $null -eq $module) { return }
    & $module {
        param($Cut, $Function)
        $script:HostCut = $Cut
        $script:HostWrapped = @{}
        foreach ($name in $Function) {
            # The module of a run that only looks has few of them.
            if (-not (Test-Path -Path "function:$name")) { continue }
            $script:HostWrapped[$name] = (Get-Item -Path "function:$name").ScriptBlock
            $wrapper = "& `$script:HostCut; & `$script:HostWrapped['$name'] @args; & `$script:HostCut"
            Set-Item -Path "function:script:$name" -Value ([scriptblock]::Create($wrapper))
        }
    } { Add-HostBoundary } $script:Boundary.Function
}

function Complete-HostWrapper {
    # Removes them again: loading the module again takes longer than a run.
    $module = Get-Module -Name 'WinNode.Loop'
    if ($script:Boundary.Folder -eq '' -or $null -eq $module) { return }
    & $module {
        foreach ($name in $script:HostWrapped.Keys) {
            Set-Item -Path "function:script:$name" -Value $script:HostWrapped[$name]
        }
        $script:HostWrapped = @{}
    }
}
