# Moments at which a run may be cut off: before and after each change, the machine is kept as it is then.

$script:Boundary = @{ Folder = ''; Function = @(); Count = 0; Last = '' }

function Watch-HostBoundary {
    # Keeps the machine in folders 1, 2, 3... below a folder, before and after each call of these functions of
    # the module, wherever something differs from the one before.
    param([string] $Folder, [string[]] $Function)

    $script:Boundary = @{ Folder = $Folder; Function = $Function; Count = 0; Last = '' }
    # The next run loads the module anew, and it is wrapped then.
    $script:Loaded = ''
}

function Complete-HostBoundary {
    # Ends that; how many were kept.
    $script:Boundary.Folder = ''
    $script:Loaded = ''
    $script:Boundary.Count
}

function Add-HostBoundary {
    # Keeps the machine, where it differs from the one kept before.
    $lines = Get-HostDescription
    $text = (@($lines.Keys | Sort-Object | ForEach-Object -Process { "$_=$($lines[$_])" }) -join "`n").GetHashCode()
    if ($text -eq $script:Boundary.Last) { return }
    $script:Boundary.Last = $text
    $script:Boundary.Count++
    Copy-HostMachine -Destination "$($script:Boundary.Folder)/$($script:Boundary.Count)"
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
