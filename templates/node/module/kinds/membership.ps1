# What both kinds of joining share: credentials of the node.

function Test-NodeMembership {
    # True when the kubelet has its own credentials, and nothing that served to get them is left.
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory = $true)] [string] $Kubeconfig,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string[]] $Leftover
    )

    $same = Test-Path -LiteralPath $Kubeconfig
    if (-not $same) { Write-NodeDetail -Text "there is no $Kubeconfig" }
    foreach ($path in $Leftover) {
        if ($path -ne '' -and (Test-Path -LiteralPath $path)) {
            Write-NodeDetail -Text "$path is still there"
            $same = $false
        }
    }
    $same
}

function Get-NodeJoinLeftover {
    # Files with credentials that must not outlive a join.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    "$($Step['path'])"
    "$($Step['bootstrapKubeconfig'])"
    "$($Step['tokenFile'])"
}

function Clear-NodeCredential {
    # Takes the kubelet's kubeconfig away, and the client certificates to which it leads.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Step)

    if (Test-Path -LiteralPath $Step['kubeconfig']) {
        $text = Read-NodeText -LiteralPath $Step['kubeconfig']
        $line = [regex]::Match($text, '(?m)^\s*client-certificate:\s*["'']?(?<path>[^"''\r\n]+?)["'']?\s*$')
        if ($line.Success) {
            $folder = Get-NodeParent -LiteralPath $line.Groups['path'].Value
            if (Test-Path -LiteralPath $folder) {
                foreach ($file in @(Get-ChildItem -LiteralPath $folder -Filter 'kubelet*')) {
                    Clear-NodePath -LiteralPath "$folder\$($file.Name)"
                }
            }
        }
    }
    if (Test-Path -LiteralPath $Step['kubeconfig']) { Write-NodeDetail -Text 'the credentials are gone' }
    Clear-NodePath -LiteralPath $Step['kubeconfig']
    foreach ($path in Get-NodeJoinLeftover -Step $Step) { Clear-NodePath -LiteralPath $path }
}
