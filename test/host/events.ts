// Events in the life of a node: what each does to the machine, and the recovery that docs/node-side.md promises.
import { joinOrThrow, succeeded, token } from './course.ts'
import { pods, type Days } from './days.ts'
import { everything } from '../tools/everything.ts'

export interface HostEvent {
  readonly id: string
  /** Columns of the table in docs/node-side.md. */
  readonly what: string
  readonly itself: string
  /** Within so many minutes Test says 0, once it is over, or a person has done his part. */
  readonly minutes: number
  readonly since?: string
  readonly person?: string
  /** PowerShell over the simulated machine; a number from 0 to 1 distinguishes two of a kind. */
  readonly does: (draw: number) => string
  /** So many seconds it goes on. */
  readonly lasts?: number
  /** What Test says meanwhile. */
  readonly told?: RegExp
  readonly byHand?: (days: Days) => Promise<unknown>
  /** PowerShell that is true once all is well again, and was not before. */
  readonly proof?: string
  /** The loop has nothing to do: the node is well before it runs again. */
  readonly idle?: boolean
  /** A service, a pod network, or a token in a file without which it does not happen. */
  readonly needs?: 'flanneld' | 'kube-proxy' | 'network' | 'token file'
}

const inHost = (script: string): string => `(& (Get-Module -Name host) { ${script} })`
/** A third of it without --all: the loop then runs four times. */
const hour = everything ? 3600 : 1200

/** How many certificates the kubelet has had. */
const certificates = `@(Get-ChildItem -LiteralPath 'C:\\var\\lib\\kubelet\\pki' -Filter 'kubelet-client-2*').Count`

const renew = `$new = "renewed-$([guid]::NewGuid())"
  Set-HostToken -Token $new -User 'system:serviceaccount:kube-system:winnode-kube-proxy'
  $file = ${inHost('$script:Machine.Proxy.Login.TokenFile')}
  $text = $new
  if (-not $file) {
    $file = 'C:\\etc\\kubernetes\\kube-proxy.conf'
    $text = (Get-Content -LiteralPath $file -Raw) -replace '(?m)^(\\s*token:).*$', "\`$1 $new"
  }
  Set-Content -LiteralPath $file -Value $text -NoNewline
  Set-HostFact -Name Given -Value $new`

const rotation = `foreach ($name in 'kube-proxy', 'flannel') {
  $file = "C:\\etc\\kubernetes\\$name.token"
  Set-HostToken -Token (Get-Content -LiteralPath $file -Raw).Trim()
  $new = "rotated-$([guid]::NewGuid())"
  Set-HostToken -Token $new -User "system:serviceaccount:kube-system:winnode-$name"
  Set-Content -LiteralPath $file -Value $new -NoNewline
}`

/** New pods beside one of the old ones, then alone. */
const dnsRollout = (last: number): string => {
  const behind = (...lasts: readonly number[]) =>
    `Add-HostService -Name kube-system/kube-dns -Address 10.96.0.10 -Label @{ 'k8s-app' = 'kube-dns' } -Port @(
      @{ name = 'dns'; port = 53; protocol = 'UDP' }, @{ name = 'dns-tcp'; port = 53; protocol = 'TCP' }
    ) -Behind ${lasts.map((one) => `10.244.0.${one}`).join(', ')}`
  return `${behind(2, last)}; Start-Sleep -Seconds 20; ${behind(last, last + 1)}`
}

/** A log that kube-log-runner cannot rotate, because another program holds it. */
const kubeletLog = 'C:\\var\\log\\kubelet\\kubelet.log'

export const events: readonly HostEvent[] = [
  {
    id: 'restart',
    what: 'The machine starts',
    itself:
      'starts kubelet and flanneld, waits for the network, reserves the source VIP, starts kube-proxy, writes the CNI configuration',
    minutes: 5,
    does: () => 'Restart-HostMachine',
  },
  {
    id: 'restart-without-api',
    what: 'The machine starts, and the API server is unreachable for an hour',
    itself: 'retries; the Node stays NotReady',
    minutes: 10,
    since: 'after the API server is back',
    does: () => `Restart-HostMachine; Stop-HostApi -For ${hour}`,
    lasts: hour,
    told: /cannot read the Node from/,
  },
  {
    id: 'address',
    what: 'The IP address of the machine changes',
    itself:
      'rewrites command lines and files that contain it, restarts their services; recreates a network of the old address, and stops sandboxes of the old network, so that the kubelet creates new ones',
    minutes: 3,
    person:
      'with Antrea, restart the machine, because its agent reads the address only at its start',
    does: (draw) =>
      `Set-HostAddress -Address 192.0.2.${20 + Math.floor(draw * 200)} -Follows $${draw < 0.5}`,
    told: /192\.0\.2\./,
  },
  {
    id: 'second-route',
    what: 'A network plugin attaches an endpoint to the machine, with a second default route',
    itself: 'keeps the address of the node',
    minutes: 2,
    idle: true,
    does: (draw) => `Add-HostEndpoint -Last ${100 + Math.floor(draw * 100)}`,
    needs: 'network',
  },
  {
    id: 'hns',
    what: 'The networking service (HNS) crashes and loses all load balancers, or all but one',
    itself:
      'restarts flanneld, then kube-proxy; stops sandboxes that have lost their HNS endpoint, so that the kubelet creates new ones',
    minutes: 3,
    does: (draw) =>
      `Set-HostSwitch -Name ListsComeBack -Value ${draw < 0.5 ? 1 : 0}; Restart-HostHns`,
    needs: 'flanneld',
    told: /HNS/,
  },
  {
    id: 'lists',
    what: 'The load balancers in HNS differ from the Services',
    itself: 'restarts kube-proxy if they differ in two runs',
    minutes: 35,
    does: () => inHost('$script:Machine.PolicyLists = @($script:Machine.PolicyLists[0])'),
    needs: 'kube-proxy',
    told: /HNS has no load balancer for kube-system\/kube-dns/,
  },
  {
    id: 'dns',
    what: 'A rollout replaces the pods of CoreDNS',
    itself: 'nothing: kube-proxy follows; the loop ignores a difference that only one run sees',
    minutes: 2,
    idle: true,
    does: (draw) => dnsRollout(10 + Math.floor(draw * 200)),
    needs: 'kube-proxy',
    told: /HNS sends kube-system\/kube-dns/,
  },
  {
    id: 'flanneld-ends',
    what: 'flanneld crashes repeatedly, for half an hour',
    itself: 'nssm restarts it with increasing delays; the loop restarts it too',
    minutes: 35,
    since: 'after the cause is fixed',
    does: () => `Set-HostCrash -Name flanneld -For ${hour / 2}; Start-Sleep -Seconds 60`,
    lasts: hour / 2,
    needs: 'flanneld',
    told: /running-flanneld/,
  },
  {
    id: 'kubelet-ends',
    what: 'The kubelet crashes repeatedly, for half an hour',
    itself: 'Windows restarts it after 5, 10 and 60 seconds; the loop, if Windows does not',
    minutes: 35,
    since: 'after the cause is fixed',
    does: () => `Set-HostCrash -Name kubelet -For ${hour / 2}; Start-Sleep -Seconds 60`,
    lasts: hour / 2,
    told: /running-kubelet/,
  },
  {
    id: 'containerd-ends',
    what: 'containerd crashes',
    itself: 'Windows restarts it after 5 seconds; the loop, if Windows does not',
    minutes: 35,
    does: (draw) =>
      draw < 0.5
        ? inHost(`Stop-HostProcess -Name containerd -Message 'panic'`)
        : inHost(`$script:Machine.Running.Remove('containerd')`),
    told: /running-containerd/,
  },
  {
    id: 'disk',
    what: 'A log fills the disk',
    itself:
      'keeps the newest `services.logMaxSizeMiB` of it, and `services.logMaxFiles` older files; truncates it if that does not fit',
    minutes: 35,
    does: () =>
      `Set-HostFiller -LiteralPath 'C:\\var\\log\\containerd\\containerd.log' -Size 120MB`,
    told: /C: has 0 GiB/,
  },
  {
    id: 'log-held',
    what: 'A program holds a log of kubelet or kube-proxy while kube-log-runner rotates it',
    itself: 'restarts the service an hour later, because its output is lost otherwise',
    minutes: 95,
    does: () =>
      `Set-HostFact -Name Readers -Value @('${kubeletLog}'); Write-HostLog -Name kubelet -Bytes 200MB
      Set-HostFact -Name Readers -Value @()`,
    proof: inHost('$script:Machine.Logs.kubelet.Open'),
  },
  {
    id: 'ports',
    what: 'Connections use up the dynamic ports',
    itself: 'reports it, as a warning of `Test-WinNode.ps1`',
    minutes: 35,
    person: 'stop the program with too many connections, or enlarge `host.dynamicPorts`',
    does: () => 'Set-HostFact -Name Connections -Value 31000',
    told: /ports warn: .* dynamic ports in use/,
    byHand: async ({ host }) => host.ps('Set-HostFact -Name Connections -Value 0'),
  },
  {
    id: 'update',
    what: 'A Windows update reboots the machine',
    itself: 'continues while the reboot is pending, then as after every start',
    minutes: 5,
    does: (draw) => `Install-HostUpdate -Revision ${20_000 + Math.floor(draw * 1000)} -Waits 900`,
  },
  {
    id: 'certificate',
    what: 'The kubelet’s client certificate is due for renewal',
    itself: 'the kubelet renews it at 70 to 90 percent of its lifetime; the loop has nothing to do',
    minutes: 10,
    idle: true,
    does: () => `Set-HostFact -Name Given -Value ${certificates}; Skip-HostCertificate -Share 0.85`,
    proof: `${certificates} -gt ${inHost('$script:Machine.Given')}`,
  },
  {
    id: 'expired',
    what: 'The kubelet’s client certificate has expired, for example on a machine that was off for long',
    itself: 'reports it: exit code 1; `Test-WinNode.ps1` with 7',
    minutes: 10,
    person: 'run `Join-WinNode.ps1` with a new token',
    does: () => 'Skip-HostCertificate -Share 1.2; Set-HostNodeLost; Restart-HostMachine',
    told: /expired/,
    byHand: async ({ host }) => joinOrThrow(host, { Token: token }),
  },
  {
    id: 'credentials',
    what: 'kube-proxy’s credentials have expired',
    itself:
      'existing load balancers stay; `Test-WinNode.ps1` ends with 7. Restarts kube-proxy once its kubeconfig is replaced',
    minutes: 35,
    person: 'replace the kubeconfig, or the file with the token',
    needs: 'kube-proxy',
    does: () =>
      inHost(`Set-HostToken -Token (Get-HostToken -Login $script:Machine.Proxy.Login)`) +
      '; Start-Sleep -Seconds 40',
    told: /services fail: .*Unauthorized/,
    byHand: async ({ host }) => host.ps(renew),
    proof: inHost('(Get-HostToken -Login $script:Machine.Proxy.Login) -eq $script:Machine.Given'),
  },
  {
    id: 'token',
    what: 'The token of kube-proxy or flanneld in a file is replaced',
    itself: 'nothing: both read it again; nothing restarts, and the Node stays Ready',
    minutes: 2,
    idle: true,
    does: () => rotation,
    needs: 'token file',
  },
  {
    id: 'upgrade',
    what: 'Another bundle is installed',
    itself: 'continues with the old bundle until Join has run from the new one',
    minutes: 10,
    person:
      'drain the node, run `Install-WinNode.ps1` and `Join-WinNode.ps1` from it; Join needs no token',
    does: () => '',
    byHand: async (days) => {
      const { host, next } = days
      await host.ps('Remove-HostPod')
      await next()
      succeeded(await host.run('Install'))
      await joinOrThrow(host)
      await pods(days)
    },
  },
  {
    id: 'suspended',
    what: 'You work on the machine',
    itself: 'pauses for the time of `Suspend-WinNode.ps1 -For`, then continues',
    minutes: 35,
    since: 'after the pause',
    does: () =>
      `$null = Invoke-HostScript -Name Suspend -Parameter @{ For = '${hour / 60}m' }; Stop-Service -Name containerd -Force`,
    lasts: hour,
    told: /running-containerd/,
  },
]
