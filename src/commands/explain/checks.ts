// Checks that the scripts run on a node: before the first change, and of a node that has joined.
import { healthKinds } from '../../model/health.ts'
import type { Plan } from '../../model/plan.ts'
import { type PreflightCheck, preflightKinds } from '../../model/preflight.ts'
import { factsOf, topicOf, unique, type Scope, type Topic } from './topic.ts'

const refused = 'exit code 2; nothing is changed'
const differs = 'exit code 4'
const warns = 'a warning'

const failures: Readonly<Record<PreflightCheck['verdict'], string>> = {
  fail: refused,
  restart: 'exit code 3010; restart the machine, and rerun the script',
  warn: warns,
}

interface ScriptCheck {
  readonly summary: string
  readonly by: string
  readonly fails: string
}

/** Checks without a row in node.json. */
const ofScripts: Readonly<Record<string, ScriptCheck>> = {
  owner: {
    summary: 'No other account can write to the files that the scripts use.',
    by: 'Install, Join and Test',
    fails: `${refused}; in Test ${differs}`,
  },
  drained: {
    summary: 'Only pods of DaemonSets run when the kubelet or containerd is to be replaced.',
    by: 'Install',
    fails: `${refused}; -Force skips the check`,
  },
  'network-stays': {
    summary: 'A node that has joined keeps its pod network.',
    by: 'Install',
    fails: refused,
  },
  'not-older': {
    summary: 'A node that has joined gets no older minor of the kubelet or containerd.',
    by: 'Install',
    fails: refused,
  },
  'join-token': {
    summary: 'kubeadm has a bootstrap token to join with.',
    by: 'Join',
    fails: refused,
  },
  image: { summary: 'Join finds nothing that Install would change.', by: 'Join', fails: refused },
  'image-running': {
    summary: 'What a machine changes while it runs is as Install left it.',
    by: 'Join',
    fails: warns,
  },
  'before-join': {
    summary: 'Join finds nothing that its phase beforeJoin would change.',
    by: 'Join -Phase afterJoin',
    fails: refused,
  },
  'before-join-running': {
    summary: 'What a machine changes while it runs is as Join left it.',
    by: 'Join -Phase afterJoin',
    fails: warns,
  },
  'kubeadm-elsewhere': {
    summary: 'The other program runs kubeadm between both parts of Join.',
    by: 'Join -Phase',
    fails: refused,
  },
  'kubelet-arguments': {
    summary: 'kubeadm sets no argument that the kubelet ignores.',
    by: 'Join -Phase afterJoin',
    fails: warns,
  },
  bundle: {
    summary: 'The image was created from the bundle of its template.',
    by: 'Join -BundleDigest',
    fails: refused,
  },
  'windows-update': {
    summary: 'Windows was not updated since Install.',
    by: 'Test',
    fails: warns,
  },
  'earlier-bundle': { summary: 'Nothing is left of an earlier bundle.', by: 'Test', fails: warns },
  'symptom-hns-port': {
    summary: 'HNS releases the ports of load balancers.',
    by: 'Test',
    fails: `${warns}; restart the machine`,
  },
  'symptom-container-log': {
    summary: 'The kubelet rotates the logs of containers.',
    by: 'Test',
    fails: `${warns}; stop the program that reads the log, and restart the pod`,
  },
  'image-member': {
    summary: 'The machine has not joined a cluster.',
    by: 'Test -Image',
    fails: differs,
  },
  'image-state': {
    summary: 'The state file of winnode names no join.',
    by: 'Test -Image',
    fails: differs,
  },
  'image-token': {
    summary: 'No file with credentials to join is on the machine.',
    by: 'Test -Image',
    fails: differs,
  },
  'image-network': {
    summary: 'HNS has no network of a network plugin.',
    by: 'Test -Image',
    fails: differs,
  },
  'image-name': {
    summary: 'No file of winnode or Kubernetes contains the host name.',
    by: 'Test -Image',
    fails: differs,
  },
  'suspension-time': {
    summary: 'The time of Suspend-WinNode.ps1 -For is valid.',
    by: 'Suspend',
    fails: refused,
  },
}

export const scriptCheckTopic: Topic = topicOf(
  () => Object.entries(ofScripts).map(([id, check]) => ({ id, ...check })),
  ({ summary, by, fails }) => ({
    kind: 'preflight check',
    what: summary,
    facts: factsOf({ 'runs in': by, 'if it fails': fails }),
    see: [],
  }),
)

export const preflightTopic: Topic = checkTopic('preflight check', ({ preflight: checks }) =>
  checks.map(({ id, kind, phases, verdict }) => ({
    id,
    what: preflightKinds[kind],
    facts: {
      phase: phasesOf(phases),
      'if it fails': failures[verdict],
      ...(phases.includes('boot') && { 'in the reconcile loop': warns }),
    },
  })),
)

function phasesOf(phases: PreflightCheck['phases']): string {
  if (!phases.includes('any')) return phases.join(', ')
  return phases.includes('boot') ? 'every phase' : 'every phase but boot'
}

export const healthTopic: Topic = checkTopic('health check', ({ health: checks }) =>
  checks.map(({ id, kind }) => ({
    id,
    what: healthKinds[kind],
    facts: {
      'runs in': 'Test-WinNode.ps1 and the reconcile loop',
      'if it fails': 'Test exits with 7; with 6 if the check cannot run',
    },
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
