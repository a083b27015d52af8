# Known problems that are visible in logs: their message, their meaning and the remedy.

# The service whose log contains the message.
$script:Symptom = @(
    @{
        Id = 'hns-port'; Service = 'kube-proxy'; Words = '0x803b0013'
        # https://github.com/kubernetes/kubernetes/pull/137530
        Means = 'HNS does not release an unused port, so a Service has no load balancer here: restart the machine'
    }
    @{
        Id = 'container-log'; Service = 'kubelet'; Words = 'Failed to rotate log for container'
        # https://github.com/containerd/containerd/issues/7075
        # https://github.com/kubernetes/kubernetes/issues/124443
        Means = 'a container log is not rotated: stop the program that reads it, and restart the pod'
    }
)

function Get-NodeSymptom {
    # The problems that are visible in the last lines of logs, with the last matching line.
    [CmdletBinding()]
    [OutputType([object[]])]
    param()

    foreach ($symptom in $script:Symptom) {
        foreach ($log in @(Get-NodeServiceLog -Name $symptom.Service)) {
            if (-not (Test-Path -LiteralPath $log)) { continue }
            $lines = @(Get-NodeLogEnd -LiteralPath $log)
            $telling = @($lines | Where-Object -FilterScript { "$_".Contains($symptom.Words) })
            if ($telling.Count -eq 0) { continue }
            $line = Hide-NodeSecret -Text $telling[-1]
            [ordered]@{ id = $symptom.Id; means = $symptom.Means; log = $log; line = $line }
        }
    }
}
