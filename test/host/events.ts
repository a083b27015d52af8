// Events in the life of a node: what each does to the machine, and the recovery that docs/node-side.md promises.
import { joinOrThrow, succeeded, token } from './course.ts'
import type { Days } from './days.ts'

export interface HostEvent {
  readonly id: string
  /** Columns of the table in docs/node-side.md. */
  readonly what: string
  readonly itself: string
  /** Within so many minutes Test says 0, once it is over, or a person has done his part. */
  readonly minutes: number
  readonly since?: string
  readonly person?: string
  /** PowerShell over the simulated machine; a number from 0 to 1 tells two of a kind apart. */
  readonly does: (draw: number) => string
  /** So many seconds it goes on. */
  readonly lasts?: number
  /** What Test says meanwhile. */
  readonly told?: RegExp
  readonly byHand?: (days: Days) => Promise<unknown>
  /** PowerShell that is true once all is well again, and was not before. */
  readonly proof?: string
  /** A service without which it does not happen. */
  readonly needs?: 'flanneld' | 'kube-proxy'
}

const inHost = (script: string): string => `(& (Get-Module -Name host) { ${script} })`
/** A third of it where all is not asked for: what the loop does every five minutes it does four times then. */
const hour = process.argv.includes('--all') ? 3600 : 1200

/** How many certificates the kubelet has had. */
const certificates = `@(Get-ChildItem -LiteralPath 'C:\\var\\lib\\kubelet\\pki' -Filter 'kubelet-client-2*').Count`

const renew = `$new = "renewed-$([guid]::NewGuid())"
  Set-HostToken -Token $new -User 'system:serviceaccount:kube-system:winnode-kube-proxy'
  $conf = 'C:\\etc\\kubernetes\\kube-proxy.conf'
  $text = (Get-Content -LiteralPath $conf -Raw) -replace '(?m)^(\\s*token:).*$', "\`$1 $new"
  Set-Content -LiteralPath $conf -Value $text -NoNewline
  Set-HostFact -Name Given -Value $new`

export const events: readonly HostEvent[] = [
  {
    id: 'restart',
    what: 'The machine starts',
    itself:
      'starts kubelet, flanneld, waits for the network, reserves the source VIP, starts kube-proxy, writes the CNI conf',
    minutes: 5,
    does: () => 'Restart-HostMachine',
  },
  {
    id: 'restart-without-api',
    what: 'The machine starts, and the API server is away for an hour',
    itself: 'tries again; the Node stays NotReady',
    minutes: 10,
    since: 'after the API server is back',
    does: () => `Restart-HostMachine; Stop-HostApi -For ${hour}`,
    lasts: hour,
    told: /does not tell about the Node/,
  },
  {
    id: 'address',
    what: 'The machine gets another address',
    itself:
      'writes command lines and files with it anew, starts their services anew; a network of the old address is made anew',
    minutes: 10,
    does: (draw) =>
      `Set-HostAddress -Address 192.0.2.${20 + Math.floor(draw * 200)} -Follows $${draw < 0.5}`,
    told: /192\.0\.2\./,
  },
  {
    id: 'hns',
    what: 'The networking service (HNS) starts anew',
    itself: 'starts flanneld anew, then kube-proxy',
    minutes: 10,
    does: () => 'Restart-HostHns',
    needs: 'flanneld',
    told: /HNS/,
  },
  {
    id: 'flanneld-ends',
    what: 'flanneld ends again and again, for half an hour',
    itself: 'nssm starts it again after growing pauses; the loop starts it anew',
    minutes: 10,
    since: 'after the cause is gone',
    does: () => `Set-HostCrash -Name flanneld -For ${hour / 2}; Start-Sleep -Seconds 60`,
    lasts: hour / 2,
    needs: 'flanneld',
    told: /running-flanneld/,
  },
  {
    id: 'kubelet-ends',
    what: 'The kubelet ends again and again, for half an hour',
    itself: 'Windows starts it again after 5, 10 and 60 seconds; the loop where Windows does not',
    minutes: 10,
    since: 'after the cause is gone',
    does: () => `Set-HostCrash -Name kubelet -For ${hour / 2}; Start-Sleep -Seconds 60`,
    lasts: hour / 2,
    told: /running-kubelet/,
  },
  {
    id: 'containerd-ends',
    what: 'containerd ends',
    itself: 'Windows starts it again after 5 seconds; the loop where Windows does not',
    minutes: 10,
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
      'keeps the newest `services.logMaxSizeMiB` of it, and of older ones `services.logMaxFiles`; where there is no room for that, empties it',
    minutes: 10,
    does: () =>
      `Set-HostFiller -LiteralPath 'C:\\var\\log\\containerd\\containerd.log' -Size 120MB`,
    told: /C: has 0 GiB/,
  },
  {
    id: 'update',
    what: 'A Windows update restarts the machine',
    itself: 'goes on while the restart is pending, then as after every start',
    minutes: 5,
    does: (draw) => `Install-HostUpdate -Revision ${20_000 + Math.floor(draw * 1000)} -Waits 900`,
  },
  {
    id: 'certificate',
    what: 'The kubelet’s certificate is due',
    itself: 'the kubelet renews it at 70 to 90 percent of its time; the loop has nothing to do',
    minutes: 10,
    does: () => `Set-HostFact -Name Given -Value ${certificates}; Skip-HostCertificate -Share 0.85`,
    proof: `${certificates} -gt ${inHost('$script:Machine.Given')}`,
  },
  {
    id: 'expired',
    what: 'The kubelet’s certificate has expired, as after a long time without power',
    itself: 'says so: the run ends with 1, `Test-WinNode.ps1` with 7',
    minutes: 10,
    person: 'runs `Join-WinNode.ps1` with a new token',
    does: () => 'Skip-HostCertificate -Share 1.2; Set-HostNodeLost; Restart-HostMachine',
    told: /expired/,
    byHand: async ({ host }) => joinOrThrow(host, { Token: token }),
  },
  {
    id: 'credentials',
    what: 'kube-proxy’s credentials have expired',
    itself:
      'what kube-proxy made stays; `Test-WinNode.ps1` ends with 7. Once they are replaced, starts kube-proxy anew',
    minutes: 10,
    person: 'replaces the kubeconfig',
    needs: 'kube-proxy',
    does: () =>
      inHost(`Set-HostToken -Token $script:Machine.Proxy.Token`) + '; Start-Sleep -Seconds 40',
    told: /services fail: .*401/,
    byHand: async ({ host }) => host.ps(renew),
    proof: inHost('$script:Machine.Proxy.Token -eq $script:Machine.Given'),
  },
  {
    id: 'upgrade',
    what: 'The next bundle is there',
    itself: 'goes on with the earlier one, until Join has run from the next',
    minutes: 10,
    person:
      'drains the node, runs `Install-WinNode.ps1` and `Join-WinNode.ps1` from it; Join needs no token',
    does: () => '',
    byHand: async ({ host, next }) => {
      await next()
      succeeded(await host.run('Install'))
      await joinOrThrow(host)
    },
  },
  {
    id: 'suspended',
    what: 'A person works on the machine',
    itself: 'nothing for as long as `Suspend-WinNode.ps1` was told, then as ever',
    minutes: 10,
    since: 'after that',
    does: () =>
      `$null = Invoke-HostScript -Name Suspend -Parameter @{ For = '${hour / 60}m' }; Stop-Service -Name containerd -Force`,
    lasts: hour,
    told: /running-containerd/,
  },
]
