# Records events of HNS and of the virtual switch while a problem shows, on request only.

# HNS and its plugins, containers, the virtual switch and VFP, whose keywords leave out single packets.
# https://github.com/microsoft/SDN/blob/242fb0c/Kubernetes/windows/debug/starthnstrace.ps1
$script:TraceProvider = @(
    'provider={564368D6-577B-4af5-AD84-1C54464848E6}', 'provider={0c885e0d-6eb6-476c-a048-2457eed3a5c1}'
    'provider={80CE50DE-D264-4581-950D-ABADEEE0D340}', 'provider={D0E4BC17-34C7-43fc-9A72-D89A59D6979A}'
    'provider={93f693dc-9163-4dee-af64-d855218af242}', 'provider={A6F32731-9A38-4159-A220-3D9B7FC5FE5D}'
    'provider={6C28C7E5-331B-4437-9C69-5352A2F7F296}'
    'provider={1F387CBC-6818-4530-9DB6-5F1058CD7E86}', 'keywords=0xFFDFFFFB'
    'provider={67DC0D66-3695-47c0-9642-33F76F7BD7AD}', 'keywords=0xFFFFFFDD'
    'provider={9F2660EA-CFE7-428F-9850-AECA612619B0}', 'keywords=0x00410000'
)

function Save-NodeReportTrace {
    # Records for so many seconds, and returns the file; without one, the report says why. It is in the log folder,
    # to which only SYSTEM and Administrators have access. No session of another program is stopped.
    # https://learn.microsoft.com/windows-server/administration/windows-commands/netsh-trace
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [int] $Seconds)

    $file = '{0}\winnode-report.etl' -f (Initialize-NodeReportFolder -Destination '')
    $limit = $script:Limit.AskedSeconds
    $words = @(
        'trace', 'start', "tracefile=$file", 'overwrite=yes', "maxsize=$($script:Limit.TraceMiB)"
        'filemode=circular', 'persistent=no', 'capture=no', 'report=disabled', 'globallevel=6'
    ) + $script:TraceProvider
    try {
        $null = Read-NodeProgramOutput -FilePath 'netsh.exe' -ArgumentList $words -Seconds $limit
        Write-NodeLine -Text "winnode: recording HNS and VFP for $Seconds s"
        try { $null = Read-NodeClock -After $Seconds } finally {
            $null = Read-NodeProgramOutput -FilePath 'netsh.exe' -ArgumentList 'trace', 'stop' -Seconds $limit
        }
        $file
    } catch {
        $null = Add-NodeReadFailure -What 'trace' -Why $_.Exception.GetBaseException().Message
        ''
    }
}
