# Scheduled tasks: a second one of a name needs -Force.

function New-ScheduledTaskTrigger {
    [CmdletBinding()]
    param([switch] $AtStartup, [switch] $Once, [datetime] $At, [timespan] $RepetitionInterval)

    if ($AtStartup) { return [pscustomobject]@{ Kind = 'MSFT_TaskBootTrigger'; Enabled = $true; Delay = $null; Repetition = $null } }
    $interval = [System.Xml.XmlConvert]::ToString($RepetitionInterval)
    [pscustomobject]@{ Kind = 'MSFT_TaskTimeTrigger'; Enabled = $true; Repetition = @{ Interval = $interval; Duration = $null } }
}

function New-ScheduledTaskAction {
    [CmdletBinding()]
    param([string] $Execute, [string] $Argument)

    [pscustomobject]@{ Execute = $Execute; Arguments = $Argument }
}

function New-ScheduledTaskPrincipal {
    [CmdletBinding()]
    param([string] $UserId, [string] $LogonType, [string] $RunLevel)

    [pscustomobject]@{ UserId = $UserId; LogonType = $LogonType; RunLevel = $RunLevel }
}

function New-ScheduledTaskSettingsSet {
    [CmdletBinding()]
    param(
        [switch] $AllowStartIfOnBatteries, [switch] $DontStopIfGoingOnBatteries, [timespan] $ExecutionTimeLimit,
        [string] $MultipleInstances
    )

    [pscustomobject]@{
        DisallowStartIfOnBatteries = -not $AllowStartIfOnBatteries
        StopIfGoingOnBatteries = -not $DontStopIfGoingOnBatteries
        ExecutionTimeLimit = [System.Xml.XmlConvert]::ToString($ExecutionTimeLimit)
        MultipleInstances = $MultipleInstances
    }
}

function Register-ScheduledTask {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [string] $TaskName, [string] $TaskPath = '\', [string] $Description, [object[]] $Action, [object[]] $Trigger,
        [object] $Principal, [object] $Settings, [switch] $Force
    )

    Add-HostCall -Text "Register-ScheduledTask $TaskName"
    if (-not (Assert-HostFunction -On 'Register-ScheduledTask' -Bound $PSBoundParameters)) { return }
    if ($script:Machine.Tasks.ContainsKey($TaskName) -and -not $Force) {
        throw 'Cannot create a file when that file already exists.'
    }
    # A well-known SID comes back as its name.
    $user = if ($Principal.UserId -eq 'S-1-5-18' -and (Get-HostSwitch -Name 'TaskUserIsName')) { 'SYSTEM' } else { $Principal.UserId }
    $script:Machine.Tasks[$TaskName] = @{
        TaskName = $TaskName; TaskPath = $TaskPath; Description = $Description; State = 'Ready'; User = $user
        LogonType = $Principal.LogonType; RunLevel = $Principal.RunLevel
        Actions = @($Action | ForEach-Object -Process { [ordered]@{ Execute = $_.Execute; Arguments = $_.Arguments } })
        Triggers = @($Trigger | ForEach-Object -Process { ConvertTo-HostTable -InputObject $_ })
        Settings = ConvertTo-HostTable -InputObject $Settings
    }
    Get-ScheduledTask -TaskName $TaskName -TaskPath $TaskPath
}

function ConvertTo-HostTable {
    # The properties of an object as a table, which the machine can keep.
    param([object] $InputObject)

    $table = [ordered]@{}
    foreach ($property in $InputObject.PSObject.Properties) { $table[$property.Name] = $property.Value }
    $table
}

function Get-ScheduledTask {
    [CmdletBinding()]
    param([string] $TaskName, [string] $TaskPath)

    $task = $script:Machine.Tasks[$TaskName]
    if ($null -eq $task) {
        Write-Error -Message "No MSFT_ScheduledTask objects found with property 'TaskName' equal to '$TaskName'."
        return
    }
    [pscustomobject]@{
        TaskName = $TaskName; TaskPath = $task.TaskPath; Description = $task.Description; State = $task.State
        Actions = @($task.Actions | ForEach-Object -Process { [pscustomobject]$_ })
        Triggers = @($task.Triggers | ForEach-Object -Process { [pscustomobject]$_ })
        Settings = [pscustomobject]$task.Settings
        Principal = [pscustomobject]@{ UserId = $task.User; LogonType = $task.LogonType; RunLevel = $task.RunLevel }
    }
}

function Unregister-ScheduledTask {
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    param([string] $TaskName, [string] $TaskPath)

    Add-HostCall -Text "Unregister-ScheduledTask $TaskName"
    $null = Get-ScheduledTask -TaskName $TaskName -TaskPath $TaskPath
    $script:Machine.Tasks.Remove($TaskName)
}
