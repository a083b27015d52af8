# Checks whether the machine can get the passwords of group managed service accounts.

$script:HealthKind['gmsa'] = @{
    Function = 'Get-NodeGmsaHealth'
    Event    = 117
    Remedy   = 'join the domain, or install the plug-in, before pods use the account: see docs/gmsa.md of winnode'
}

$script:CredentialGuard = 'HKLM:\SYSTEM\CurrentControlSet\Control\CCG\COMClasses'

function Get-NodeGmsaHealth {
    # Whether the machine is in a domain, for accounts without a plug-in, and whether each plug-in is registered
    # for COM and for Container Credential Guard (CCG): the remarks about the method GetPasswordCredentials.
    # https://learn.microsoft.com/windows/win32/api/ccgplugins/nn-ccgplugins-iccgdomainauthcredentials
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $found = @()
    $lack = @()
    if ($Need['domain']) {
        $computer = Get-CimInstance -ClassName Win32_ComputerSystem
        if ($computer.PartOfDomain) {
            $found += "the machine is in the domain $($computer.Domain)"
        } else {
            $lack += 'the machine is in no domain'
        }
    }
    foreach ($plugin in @($Need['plugins'])) {
        $keys = @("HKLM:\SOFTWARE\Classes\CLSID\$plugin", "$script:CredentialGuard\$plugin")
        $missing = @($keys | Where-Object -FilterScript { -not (Test-Path -LiteralPath $_) })
        if ($missing.Count -eq 0) { $found += "the plug-in $plugin is registered" }
        foreach ($key in $missing) { $lack += "$key not found" }
    }
    if ($lack.Count -eq 0) { return ConvertTo-NodeVerdict -Verdict ok -Evidence ($found -join '; ') }
    ConvertTo-NodeVerdict -Verdict warn -Evidence ($lack -join '; ')
}
