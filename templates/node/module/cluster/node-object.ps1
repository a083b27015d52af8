# Asks the cluster about this node, with the kubelet's own credentials.

function Get-NodeReadiness {
    # Why the Node is not Ready, or an empty text. Only the node itself may read it with these credentials.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Member)

    if ($Member.State -ne 'member') { return $Member.Text }
    $uri = New-Object -TypeName System.Uri -ArgumentList $Member.Server
    $path = "/api/v1/nodes/$($Member.Name)"
    $answer = Invoke-NodeRequest -Uri $uri -Path $path -Ca $Member.Ca -Pem $Member.Pem
    if ($answer.Code -eq 404) { return 'the kubelet has not registered its Node yet' }
    if ($answer.Code -ne 200) {
        return "$($uri.Authority) does not tell about the Node: $(Get-NodeAnswerText -Answer $answer)"
    }
    $node = ConvertFrom-NodeJson -Text $answer.Text
    $conditions = @($node['status']['conditions'] | Where-Object -FilterScript {
            $null -ne $_ -and $_['type'] -ceq 'Ready'
        })
    if ($conditions.Count -eq 0) { return 'the Node does not say yet whether it is Ready' }
    if ($conditions[0]['status'] -ceq 'True') { return '' }
    "the Node is not Ready: $($conditions[0]['message'])"
}

function Get-NodeAnswerText {
    # What an answer of the API server says, in one line.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [hashtable] $Answer)

    if ($Answer.Code -eq 0) { return $Answer.Problem }
    $message = [regex]::Match($Answer.Text, '"message":\s*"(?<text>(?:[^"\\]|\\.)*)"').Groups['text'].Value
    "$($Answer.Code) $message".Replace('\"', '"').Trim()
}
