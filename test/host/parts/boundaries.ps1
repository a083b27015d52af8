# Moments at which a run may be cut off: before and after each change, the machine is kept as it is then.

$script:Boundary = @{ Folder = ''; Count = 0 }

function Watch-HostBoundary {
    # Keeps the machine in folders 1, 2, 3... below a folder, before and after each call of these functions of
    # the module, wherever something differs from the one before. Of those around the finer functions, each
    # one of so many.
    param([string] $Folder, [string[]] $Function, [string[]] $Finer = @(), [int] $Each = 1)

    $script:Boundary = @{
        Folder = $Folder; Function = $Function; Finer = $Finer; Each = $Each; Count = 0; Seen = 0; Last = ''; Kept = $false
    }
    # The next run loads the module anew, and it is wrapped then.
    $script:Loaded = ''
}

function Complete-HostBoundary {
    # Ends that; how many were kept, of how many.
    $script:Boundary.Folder = ''
    $script:Loaded = ''
    @{ kept = $script:Boundary.Count; of = $script:Boundary.Seen }
}

function Add-HostBoundary {
    # Keeps the machine, where it differs from the one kept before.
    param([string] $Name)

    $lines = Get-HostDescription
    $text = (@($lines.Keys | Sort-Object | ForEach-Object -Process { "$_=$($lines[$_])" }) -join "`n").GetHashCode()
    $boundary = $script:Boundary
    if ($text -ne $boundary.Last) {
        $boundary.Last = $text
        $boundary.Kept = $false
        $boundary.Seen++
    }
    # What a finer function left out may still be the end of a step.
    if ($boundary.Kept -or ($Name -in $boundary.Finer -and $boundary.Seen % $boundary.Each -ne 0)) { return }
    $boundary.Kept = $true
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
            $wrapper = "& `$script:HostCut $name; & `$script:HostWrapped['$name'] @args; & `$script:HostCut $name"
            Set-Item -Path "function:script:$name" -Value ([scriptblock]::Create($wrapper))
        }
    } { param($Name) Add-HostBoundary -Name $Name } ($script:Boundary.Function + $script:Boundary.Finer)
}
