# Checks this process: its rights and its language mode.

$script:PreflightKind['administrator'] = 'Test-NodeAdministrator'
$script:PreflightKind['languageMode'] = 'Test-NodeLanguageMode'

function Test-NodeAdministrator {
    # Whether this process is elevated, not only run by an administrator: a high integrity level, or that of
    # SYSTEM.
    # https://learn.microsoft.com/windows/win32/secauthz/well-known-sids
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $groups = @(Invoke-Native -FilePath 'whoami.exe' -ArgumentList '/groups', '/fo', 'csv', '/nh')
    $high = @($groups -match 'S-1-16-(12288|16384)').Count -gt 0
    Write-NodeDetail -Text $(if ($high) { 'runs as administrator' } else { 'not run as administrator' })
    $high
}

function Test-NodeLanguageMode {
    # Whether PowerShell may call .NET; application control policies can forbid it.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    $mode = "$($ExecutionContext.SessionState.LanguageMode)"
    Write-NodeDetail -Text "the language mode is $mode"
    $mode -eq 'FullLanguage'
}
