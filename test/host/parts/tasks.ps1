# Scheduled tasks: a second one of a name needs -Force.

function New-ScheduledTaskTrigger {
    [CmdletBinding()]
    param([switch] $AtStartup, [switch] $Once, [datetime] $At, [timespan] $RepetitionInterval)

    if ($AtStartup) { return [pscustomobject]@{ Kind = 'MSFT_TaskBootTrigger' } }
    [pscustomobject]@{ Kind = 'MSFT_TaskTimeTrigger'; Interval = [System.Xml.XmlConvert]::ToString($RepetitionInterval) }
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
    param([int] $RestartCount, [timespan] $RestartInterval, [timespan] $ExecutionTimeLimit, [string] $MultipleInstances)

    [pscustomobject]@{ RestartCount = $RestartCount; MultipleInstances = $MultipleInstances }
}

function Register-ScheduledTask {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param(
        [string] $TaskName, [string] $TaskPath = '\', [string] $Description, [object[]] $Action, [object[]] $Trigger,
        [object] $Principal, [object] $Settings, [switch] $Force
    )

    Add-HostCall -Text "Register-ScheduledTask $TaskName"
    Assert-HostHealth -On 'Register-ScheduledTask'
    if ($script:Machine.Tasks.ContainsKey($TaskName) -and -not $Force) {
        throw 'Cannot create a file when that file already exists.'
    }
    # A well-known SID comes back as its name.
    $user = if ($Principal.UserId -eq 'S-1-5-18') { 'SYSTEM' } else { $Principal.UserId }
    $script:Machine.Tasks[$TaskName] = @{
        TaskName = $TaskName; TaskPath = $TaskPath; Description = $Description; State = 'Ready'; User = $user
        LogonType = $Principal.LogonType; RunLevel = $Principal.RunLevel
        Actions = @($Action | ForEach-Object -Process { [ordered]@{ Execute = $_.Execute; Arguments = $_.Arguments } })
        Triggers = @($Trigger | ForEach-Object -Process { @{ Kind = $_.Kind } })
    }
    Get-ScheduledTask -TaskName $TaskName -TaskPath $TaskPath
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
