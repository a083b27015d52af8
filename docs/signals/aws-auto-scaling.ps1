# Ends the launching lifecycle hook of an Auto Scaling group, as the instance profile.
# CONTINUE is for a machine that joined, ABANDON for another one, which the group then replaces.
param([Parameter(Mandatory = $true)] [int] $ExitCode)
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$region = 'eu-central-1'
$group = 'web'
$hook = 'winnode-joined'

$call = @{
    Region                = $region
    AutoScalingGroupName  = $group
    LifecycleHookName     = $hook
    InstanceId            = Get-EC2InstanceMetadata -Category InstanceId
    LifecycleActionResult = $(if ($ExitCode -eq 0) { 'CONTINUE' } else { 'ABANDON' })
    Force                 = $true
}
$null = Complete-ASLifecycleAction @call
"sent $($call.LifecycleActionResult) to $group"
exit 0
