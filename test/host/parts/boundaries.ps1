# Moments at which a run may be cut off: before and after each change, the machine is kept as it is then.

$script:Boundary = @{ Folder = ''; Count = 0 }

function Watch-HostBoundary {
    # Keeps the machine in folders 1, 2, 3... below a folder, before and after each call of these functions of
    # the module, wherever something differs from the moment before: each one of so many.
    param([string] $Folder, [string[]] $Function, [int] $Each = 1)

    $script:Boundary = @{ Folder = $Folder; Function = $Function; Each = $Each; Count = 0; Seen = 0; Last = '' }
    # The next run loads the module anew, and it is wrapped then.
    $script:Loaded = ''
}

function Watch-HostCut {
    # Keeps the machine in one folder, at the Nth moment before or after a call of these functions.
    param([string] $Folder, [string[]] $Function, [int] $At)

    $script:Boundary = @{ Folder = $Folder; Function = $Function; At = $At; Count = 0; Seen = 0; Last = '' }
    $script:Loaded = ''
}

function Complete-HostBoundary {
    # Ends that; how many were kept, of how many.
    $script:Boundary.Folder = ''
    $script:Loaded = ''
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
    # Puts a boundary before and after functions of the module under test.
    param([System.Management.Automation.PSModuleInfo] $Module)

    if ($script:Boundary.Folder -eq '') { return }
    & $Module {
        param($Cut, $Function)
        $script:HostCut = $Cut
        $script:HostWrapped = @{}
        foreach ($name in $Function) {
            $script:HostWrapped[$name] = (Get-Item -Path "function:$name").ScriptBlock
            $wrapper = "& `$script:HostCut; & `$script:HostWrapped['$name'] @args; & `$script:HostCut"
            Set-Item -Path "function:script:$name" -Value ([scriptblock]::Create($wrapper))
        }
    } { Add-HostBoundary } $script:Boundary.Function
}
