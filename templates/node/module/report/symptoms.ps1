# Known trouble of a node that runs, told by the words of its programs: what they mean, and what a person does.

# The service whose log has the words.
$script:Symptom = @(
    @{
        Id = 'hns-port'; Service = 'kube-proxy'; Words = '0x803b0013'
        # https://github.com/kubernetes/kubernetes/pull/137530
        Means = 'HNS keeps a port that nobody uses, and a Service has no load balancer here: restart the machine'
    }
    @{
        Id = 'container-log'; Service = 'kubelet'; Words = 'Failed to rotate log for container'
        # https://github.com/containerd/containerd/issues/7075
        # https://github.com/kubernetes/kubernetes/issues/124443
        Means = 'the log of a container only grows: end what follows it, and start the pod anew'
    }
)

function Get-NodeSymptom {
    # The symptoms that the ends of logs show, with the last line that shows each.
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

function Add-NodeSymptom {
    # Says what the logs of a member show; it is no difference.
    [CmdletBinding()]
    [OutputType([void])]
    param()

    foreach ($symptom in @(Get-NodeSymptom)) {
        $message = '{0} ({1})' -f $symptom['means'], $symptom['log']
        Add-NodePreflight -Id "symptom-$($symptom['id'])" -Verdict warn -Passed $false -Message $message
    }
}
