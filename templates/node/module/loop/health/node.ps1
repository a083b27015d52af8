# Reads whether the Node is Ready.

function Get-NodeJoinStep {
    # The step that joins this machine, or nothing.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary])]
    param()

    foreach ($step in $script:Run.Document['steps']) {
        if ($null -ne $step['bootstrapKubeconfig']) { return $step }
    }
}

function Get-NodeCondition {
    # A condition of a Node by its type, or nothing.
    [CmdletBinding()]
    [OutputType([System.Collections.IDictionary])]
    param(
        [Parameter(Mandatory = $true)] [System.Collections.IDictionary] $Node,
        [Parameter(Mandatory = $true)] [string] $Type
    )

    foreach ($one in $Node['status']['conditions']) { if ($one['type'] -ceq $Type) { return $one } }
}

function Get-NodeUnreadiness {
    # Why the API server does not call the Node Ready, or an empty string, also if it does not answer: one that is
    # down is reported once an hour, and not by all nodes at once.
    [CmdletBinding()]
    [OutputType([string])]
    param()

    $kubeconfig = (Get-NodeJoinStep)['kubeconfig']
    $answer = Invoke-NodeKubectl -Kubeconfig $kubeconfig -Path "/api/v1/nodes/$(Get-NodeGivenName)"
    if (-not $answer.Lasting) { return '' }
    if ($answer.Problem -ne '') { return $answer.Problem }
    $ready = Get-NodeCondition -Node (ConvertFrom-NodeJson -Text $answer.Text) -Type 'Ready'
    if ($null -ne $ready -and $ready['status'] -ceq 'True') { return '' }
    'the Node is not Ready'
}
