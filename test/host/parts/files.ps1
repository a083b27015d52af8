# Files as Windows treats them: open files stay, and a replaced file passes its access list on.

function Remove-Item {
    # As in 5.1: a file that is held stays, and -Recurse fails at a link to a folder.
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Position = 0)] [string[]] $Path, [string[]] $LiteralPath, [switch] $Recurse, [switch] $Force)

    foreach ($one in $LiteralPath) {
        if ($one -in $script:Machine.Held) {
            Write-Error -Message "Cannot remove item ${one}: Access to the path is denied."
            return
        }
        $links = @(if ($Recurse) { Get-ChildItem -LiteralPath $one -Recurse -Force -Directory -Attributes ReparsePoint })
        if ($links.Count -gt 0) {
            Write-Error -Message 'There is a mismatch between the tag specified in the request and the tag present in the reparse point'
            return
        }
    }
    Microsoft.PowerShell.Management\Remove-Item @PSBoundParameters
}

function Use-HostReplace {
    # Puts what ReplaceFile of Windows does more around the module's own call of it, and sets how this system says
    # that a file is open.
    param([System.Management.Automation.PSModuleInfo] $Module)

    & $Module {
        param($Begin, $End)
        # On Linux, .NET gives the error number of flock for a file that is open elsewhere: EWOULDBLOCK.
        $script:SharingViolation = 11
        $script:HostReplace = @{ Begin = $Begin; Real = (Get-Item -Path 'function:Invoke-NodeReplace').ScriptBlock; End = $End }
        function script:Invoke-NodeReplace {
            param([string] $LiteralPath, [string] $Destination, [string] $Old)
            $list = & $script:HostReplace.Begin $LiteralPath $Destination
            & $script:HostReplace.Real @PSBoundParameters
            & $script:HostReplace.End $Destination $Old $list
        }
    } { Enter-HostReplace @args } { Exit-HostReplace @args }
}

function Enter-HostReplace {
    # Rejects read-only files, and files that a test marks as open. Gives the old file's own access list.
    param([string] $LiteralPath, [string] $Destination)

    foreach ($one in $LiteralPath, $Destination) {
        $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($one)
        if ([System.IO.File]::GetAttributes($path) -band [System.IO.FileAttributes]::ReadOnly) {
            throw [System.UnauthorizedAccessException]::new("Access to the path is denied: $one")
        }
    }
    try { Assert-HostHealth -On 'ReplaceFile' } catch { throw [System.IO.IOException]::new("$_") }
    [WinNodeHost.AccessList]::Read($path)
}

function Exit-HostReplace {
    # The new file has the old one's access list; programs that had the old one open have it under its new name.
    param([string] $Destination, [string] $Old, [string] $List)

    if ($List -ne '') {
        $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Destination)
        [WinNodeHost.AccessList]::Write($path, $List)
    }
    $script:Machine.Held = @($script:Machine.Held | ForEach-Object -Process { if ($_ -eq $Destination) { $Old } else { $_ } })
}
