# Parts of a report about the machine.

function Get-NodeReportFact {
    # The node facts that this bundle uses, or why they are not known.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $facts = [ordered]@{}
    foreach ($entry in $script:Run.Document['facts']) {
        try {
            $facts[$entry['name']] = Get-NodeFact -Name $entry['name']
        } catch {
            $facts[$entry['name']] = $_.Exception.Message
        }
    }
    $facts
}

function Get-NodeReportService {
    # The services of this bundle as the service manager has them.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'service') { continue }
        $name = $step['name']
        $service = Get-Service -Name $name -ErrorAction SilentlyContinue
        $key = "$script:Services\$name"
        [ordered]@{
            name     = $name
            status   = if ($null -ne $service) { "$($service.Status)" } else { 'absent' }
            start    = "$(Get-NodeRegistryData -Key $key -Name 'Start')"
            command  = Hide-NodeSecret -Text "$(Get-NodeRegistryData -Key $key -Name 'ImagePath')"
            recovery = Get-NodeRecovery -Name $name
        }
    }
}

function Get-NodeReportProgram {
    # The programs of this bundle, with their digests.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'download' -and $step['kind'] -cne 'archive') { continue }
        $paths = if ($step['kind'] -ceq 'download') { @($step['path']) } else {
            @($step['members'] | ForEach-Object -Process { $_['path'] })
        }
        foreach ($path in $paths) {
            [ordered]@{
                path   = $path
                sha256 = Get-NodeDigest -LiteralPath $path
                url    = Hide-NodeSecret -Text $step['url']
            }
        }
    }
}

function Get-NodeReportFirewall {
    # The rules of this bundle, and whether each profile of the firewall is on.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -ceq 'firewallRule') {
            [ordered]@{ name = $step['name']; rule = Get-NodeFirewallRule -Name $step['name'] }
        }
    }
    Get-NetFirewallProfile | ConvertTo-NodeReportValue -Property Name, Enabled, DefaultInboundAction
}

function Get-NodeReportEvent {
    # The latest events of services and of the networking service. Get-WinEvent fails where a log is empty.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    $filters = @(
        @{ LogName = 'System'; ProviderName = 'Service Control Manager' }
        @{ LogName = 'Microsoft-Windows-Host-Network-Service-Admin' }
        @{ LogName = 'Microsoft-Windows-Hyper-V-Compute-Admin' }
    )
    foreach ($filter in $filters) {
        Get-WinEvent -FilterHashtable $filter -MaxEvents 200 -ErrorAction SilentlyContinue |
            ConvertTo-NodeReportValue -Property TimeCreated, ProviderName, Id, LevelDisplayName, Message
    }
}
