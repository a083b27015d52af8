# Networks of the host networking service.

function Get-NodeHnsNetwork {
    # A network of the host networking service, or nothing: before the feature Containers is active there is
    # not even the command.
    [CmdletBinding()]
    [OutputType([object])]
    param([Parameter(Mandatory = $true)] [string] $Name)

    if ($null -eq (Get-Command -Name 'Get-HnsNetwork' -ErrorAction SilentlyContinue)) { return }
    Get-HnsNetwork | Where-Object -FilterScript { $_.Name -ceq $Name } | Select-Object -First 1
}

function Test-NodeHns {
    # Whether the host networking service answers.
    [CmdletBinding()]
    [OutputType([bool])]
    param()

    try {
        $null = Get-HnsNetwork
        $true
    } catch {
        $problem = $_
        Write-Verbose -Message $problem.Exception.Message
        $false
    }
}
