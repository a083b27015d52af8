// Checks that the scripts run on a node: before the first change, and of a node that has joined.
import type { HealthKind } from '../../model/health.ts'
import type { PreflightCheck, PreflightKind } from '../../model/preflight.ts'
import type { Plan } from '../../model/plan.ts'
import { factsOf, unique, type Scope, type Topic } from './topic.ts'

const preflight: Readonly<Record<PreflightKind, string>> = {
  administrator: 'The script runs as administrator.',
  languageMode: 'PowerShell runs in FullLanguage mode.',
  windowsServer: 'The machine runs Windows Server.',
  windowsBuild: 'Windows has the build of windows.release.',
  revisionNotBetween: 'The Windows revision has no known defect.',
  revisionAtLeast: 'The Windows revision is new enough for the profile.',
  freeDisk: 'The drive has enough free space for the installation.',
  volume: 'The drive of containerd.root is a local disk with NTFS.',
  imageFolder: 'containerd.root is not changed while pods run.',
  systemDrive: 'Windows is on drive C:.',
  nodeName: 'The node name is valid in Kubernetes.',
  providerID: 'The file of kubelet.providerID contains the ID of an instance.',
  pendingRestart: 'No restart of the machine is pending.',
  pendingRename: 'No file is to be replaced at the next start of the machine.',
  clockSkew: 'The clock agrees with the clock of the API server.',
  dns: 'The name of the API server has an address.',
  apiServer: 'The API server answers.',
  cluster: 'The cluster and the bundle agree about versions, CIDRs, DNS and the CA.',
  filePresent: 'The files that are copied to the machine by hand, such as credentials, exist.',
  secureBootOff: 'Secure Boot is off.',
  physicalAdapter: 'The adapter with the address of the machine belongs to no virtual switch.',
  encryption: 'BitLocker protects the drive.',
  otherEngines: 'No other container engine and no other kubelet is installed.',
  firewallPolicy: 'Windows Firewall applies the rules of the bundle.',
}

const health: Readonly<Record<HealthKind, string>> = {
  kubelet: 'The kubelet answers at its health endpoint.',
  certificate: 'The client certificate of the kubelet works, and does not expire soon.',
  node: 'The Node is Ready, with the version, labels and taints of the profile.',
  network: 'HNS has the network, with the endpoint of the host.',
  sandboxes: 'The sandbox of every pod has its HNS endpoint.',
  endpoints: 'The HNS endpoint of every pod is attached.',
  bgp: 'The BGP peers of the node are connected.',
  proxy: 'kube-proxy keeps up with changes.',
  services: 'HNS has the load balancers of two Services that every cluster has.',
  image: 'containerd has the sandbox image.',
  clock: 'The clock agrees with the clock of the API server.',
  disk: 'The drive has more free space than the eviction threshold of the kubelet.',
  ports: 'The expected programs use the ports of the node, and enough dynamic ports are free.',
  logs: 'kube-log-runner still writes the logs that it rotates.',
  firewall: 'Windows Firewall applies the rules of the bundle.',
  tokens: 'The tokens in files are valid, and do not expire soon.',
  gmsa: 'The machine can get the passwords of group managed service accounts.',
}

const failures: Readonly<Record<PreflightCheck['verdict'], string>> = {
  fail: 'exit code 2; nothing is changed',
  restart: 'exit code 3010; restart the machine, and rerun the script',
  warn: 'a warning',
}

export const preflightTopic: Topic = checkTopic('preflight check', ({ preflight: checks }) =>
  checks.map(({ id, kind, phases, verdict }) => ({
    id,
    what: preflight[kind],
    facts: { phase: phasesOf(phases), 'if it fails': failures[verdict] },
  })),
)

function phasesOf(phases: PreflightCheck['phases']): string {
  if (!phases.includes('any')) return phases.join(', ')
  return phases.includes('boot') ? 'every phase' : 'every phase but boot'
}

export const healthTopic: Topic = checkTopic('health check', ({ health: checks }) =>
  checks.map(({ id, kind }) => ({
    id,
    what: health[kind],
    facts: { 'runs in': 'Test-WinNode.ps1 and the reconcile loop' },
  })),
)

interface Check {
  readonly id: string
  readonly what: string
  readonly facts: Readonly<Record<string, string>>
}

/** The checks of the built-in profiles. */
function checkTopic(kind: string, checksOf: (plan: Plan) => readonly Check[]): Topic {
  const all = ({ plans }: Scope) =>
    [...plans()].flatMap(([profile, plan]) =>
      checksOf(plan).map((check) => ({ ...check, profile })),
    )
  return {
    subjects: (scope) => all(scope).map(({ id, what }) => ({ name: id, note: what })),
    explain: (name, scope) => {
      const found = all(scope).filter(({ id }) => id === name)
      const [first] = found
      if (!first) return []
      const profiles = unique(found.map(({ profile }) => profile)).join(', ')
      const facts = factsOf({ ...first.facts, 'bundles of': profiles })
      return [{ kind, name, what: first.what, facts, see: [] }]
    },
  }
}
