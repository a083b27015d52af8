# Prints progress to the console.

# Kinds of steps that take a while, and the word that is printed before their change.
$script:Slow = @{
    windowsFeature  = 'installing'
    download        = 'fetching'
    archive         = 'fetching'
    imagePull       = 'pulling'
    kubeadmJoin     = 'joining'
    bootstrapJoin   = 'joining'
    hnsNetwork      = 'awaiting'
    externalNetwork = 'creating'
}

function Write-NodeLine {
    # Prints one line, without secrets.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    Write-Information -MessageData (Hide-NodeSecret -Text $Text)
}

function Write-NodeRow {
    # Prints one line of the progress table: position, state, step and text.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Place,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $State,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Id,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text
    )

    Write-NodeLine -Text ('{0,8}  {1,-12}  {2,-28}  {3}' -f $Place, $State, $Id, $Text).TrimEnd()
}
