# Checks the sandbox image of a node that has joined.

$script:HealthKind['image'] = @{
    Function = 'Get-NodeImageHealth'
    Event    = 107
    Remedy   = 'run Install-WinNode.ps1: until then new pods need the registry'
}

function Get-NodeImageHealth {
    # Whether containerd has the sandbox image. If not, it pulls the image with the next pod.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Need)

    $null = Read-NodeDetail
    $there = Test-NodeImagePull -Step $Need
    $why = Read-NodeDetail
    if ($there) { return ConvertTo-NodeVerdict -Verdict ok -Evidence "containerd has $($Need['image'])" }
    ConvertTo-NodeVerdict -Verdict warn -Evidence "$($Need['image']): $why"
}
