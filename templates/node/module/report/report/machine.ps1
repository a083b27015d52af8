# Parts of a report about the machine.

function Get-NodeReportFact {
    # The node facts that this bundle uses, or why they are unknown.
    [CmdletBinding()]
    [OutputType([System.Collections.Specialized.OrderedDictionary])]
    param()

    $facts = [ordered]@{}
    foreach ($entry in $script:Run.Document['facts']) {
        try {
            $facts[$entry['name']] = Get-NodeFact -Name $entry['name']
        } catch {
            $facts[$entry['name']] = Hide-NodeSecret -Text $_.Exception.Message
        }
    }
    $facts
}

function Get-NodeReportService {
    # The services of this bundle, from the service control manager.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in Get-NodeKindStep -Kind service) {
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
    # The programs of this bundle, with their SHA-256.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($step['kind'] -cne 'download' -and $step['kind'] -cne 'archive') { continue }
        $paths = if ($step['kind'] -ceq 'download') { $step } else { $step['members'] }
        foreach ($path in $paths | ForEach-Object -Process { $_['path'] }) {
            $digest = ''
            try { $digest = Get-NodeDigest -LiteralPath $path } catch {
                $null = Add-NodeReadFailure -What $path -Why $_.Exception.GetBaseException().Message
            }
            [ordered]@{ path = $path; sha256 = $digest; url = Hide-NodeSecret -Text $step['url'] }
        }
    }
}

function Get-NodeReportFirewall {
    # The firewall rules of this bundle, and whether each firewall profile is enabled.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($step in Get-NodeKindStep -Kind firewallRule) {
        [ordered]@{ name = $step['name']; rule = Get-NodeFirewallRule -Name $step['name'] }
    }
    $names = 'Name', 'Enabled', 'DefaultInboundAction'
    Get-NodeReportItem -What 'firewall' -Property $names -Script { Get-NetFirewallProfile -ErrorAction Stop }
}
