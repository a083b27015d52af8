# vmwareTools: interfaces that VMware Tools do not report, if VMware Tools are installed.

$script:StepKind['vmwareTools'] = @{
    Noun    = 'NodeVmwareTool'
    Subject = 'path'
    Class   = 'path'
    Memory  = 'NodeFile'
    Reset   = 'restore'
}

function Get-NodeVmwareConfiguration {
    # The text of tools.conf as it is, and with exclude-nics first in its section guestinfo; the other lines stay.
    # https://github.com/vmware/open-vm-tools/blob/master/open-vm-tools/tools.conf
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    $found = if (Test-Path -LiteralPath $Step['path']) { Read-NodeText -LiteralPath $Step['path'] } else { '' }
    $setting = 'exclude-nics={0}' -f $Step['excludeNics']
    $section = ''
    $rest = @($found.Trim() -split '\r?\n' | ForEach-Object -Process {
            if ($_ -match '^\s*\[(.*)\]\s*$') { $section = $Matches[1] }
            $isSetting = $section -ceq 'guestinfo' -and $_ -cmatch '^\s*exclude-nics\s*='
            if (-not $isSetting) { $_ }
        })
    $header = @($rest -cmatch '^\s*\[guestinfo\]\s*$')
    if ($header.Count -eq 0) { $rest += '[guestinfo]' }
    $set = $false
    $lines = foreach ($line in $rest) {
        $line
        if (-not $set -and $line -cmatch '^\s*\[guestinfo\]\s*$') {
            $setting
            $set = $true
        }
    }
    @{ Found = $found; Wanted = (($lines -join "`r`n").Trim() + "`r`n") }
}

function Test-NodeVmwareTool {
    # True if tools.conf has the setting, or VMware Tools are not installed.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if ($null -eq (Get-Service -Name 'VMTools' -ErrorAction SilentlyContinue)) {
        Write-NodeDetail -Text 'VMware Tools are not installed'
        return $true
    }
    $configuration = Get-NodeVmwareConfiguration -Step $Step
    $same = $configuration.Found -ceq $configuration.Wanted
    if (-not $same) { Write-NodeDetail -Text "exclude-nics is not '$($Step['excludeNics'])'" }
    $same
}

function Set-NodeVmwareTool {
    # Writes the setting; VMware Tools read the file again within seconds.
    # CONF_POLL_TIME in https://github.com/vmware/open-vm-tools/blob/master/open-vm-tools/lib/include/conf.h
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (-not $PSCmdlet.ShouldProcess($Step['path'], 'set exclude-nics')) { return }
    Install-NodeText -LiteralPath $Step['path'] -Text (Get-NodeVmwareConfiguration -Step $Step).Wanted
}
