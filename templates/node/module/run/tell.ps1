# Tells a person who watches.

# Kinds of steps whose change takes a while, and what is told before it.
$script:Slow = @{
    windowsFeature = 'installing'
    download       = 'fetching'
    archive        = 'fetching'
    imagePull      = 'pulling'
    kubeadmJoin    = 'joining'
    bootstrapJoin  = 'joining'
    hnsNetwork     = 'awaiting'
}

function Write-NodeLine {
    # One line, without secrets.
    [CmdletBinding()]
    [OutputType([void])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    Write-Information -MessageData (Hide-NodeSecret -Text $Text)
}

function Write-NodeRow {
    # One line of the table that a person watches: where the run is, how it goes, with what.
    [CmdletBinding()]
    [OutputType([void])]
    param(
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Place,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $State,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Id,
        [Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text
    )

    Write-NodeLine -Text ('{0,8}  {1,-12}  {2,-28}  {3}' -f $Place, $State, $Id, $Text).TrimEnd()
}
