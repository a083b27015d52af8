// Unknown versions: newer or older than the known ones, or of a line that was never released.
import { linesWith } from '../matrix/containerd.ts'
import { minorsWith } from '../matrix/kubernetes.ts'
import { lastRow } from '../matrix/nearest.ts'
import { standingAmong, type Standing } from '../matrix/standing.ts'
import { tablesDate } from '../matrix/tables-date.ts'
import type { Facts } from '../model/facts.ts'
import type { Patches } from '../model/program-releases.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { components, pluginComponents, type Component } from './components.ts'

interface ReleasedComponent extends Component {
  /** The newest patch of each known line. */
  readonly newest: Patches
  /** Its releases page. */
  readonly see: string
}

const releases = 'https://kubernetes.io/releases/'
const runtimes = 'https://containerd.io/releases/'
const criTools = 'https://github.com/kubernetes-sigs/cri-tools/releases'

/** Programs that are released together, with the newest patch of each known line. */
type Released = (facts: Facts) => readonly ReleasedComponent[]

const newestOf = <Row>(rows: readonly [Row, ...Row[]], patchOf: (row: Row) => string): Patches => {
  const [first, ...later] = rows
  return [patchOf(first), ...later.map(patchOf)]
}

const kubernetes: Released = ({ added }) => {
  const newest = newestOf(minorsWith(added), (row) => row.newestPatch)
  const { kubelet, kubeadm } = components
  return [kubelet, components['kube-apiserver'], components['kube-proxy'], kubeadm].map(
    (component) => ({ ...component, newest, see: releases }),
  )
}
const containerd: Released = ({ added }) => [
  {
    ...components.containerd,
    newest: newestOf(linesWith(added), (row) => row.newestPatch),
    see: runtimes,
  },
]
const programs: Released = ({ added }) => [
  {
    ...components.crictl,
    newest: newestOf(minorsWith(added), (row) => row.crictl),
    see: criTools,
  },
  ...pluginComponents,
]

/** A conflict for each version with one of these standings. Components with the same version are reported once. */
function conflictsWith(
  standings: readonly Standing[],
  released: Released,
  facts: Facts,
  describe: (subject: string, newest: Patches) => Omit<Conflict, 'path'>,
): readonly Conflict[] {
  const { spec } = facts
  const found = released(facts).filter(
    (one) => one.used(spec) && standings.includes(standingAmong(one.newest, one.version(spec))),
  )
  const distinct = found.filter(
    (one, at) => found.findIndex((other) => other.version(spec) === one.version(spec)) === at,
  )
  return distinct.map(({ title, path, version, newest, see }) => ({
    path,
    see,
    ...describe(`${title} ${version(spec)}`, newest),
  }))
}

const lastOf = (newest: Patches) => lastRow(newest, () => true)

function newerLine(
  released: Released,
  taken: string,
  rule: Pick<Rule, 'id' | 'summary' | 'see'>,
): Rule {
  return defineRule({
    ...rule,
    severity: 'error',
    severityVaries: true,
    remedy:
      'Update winnode, or use --allow-newer to check it as the newest version that winnode knows.',
    check: (facts) =>
      conflictsWith(['newer-line'], released, facts, (subject, newest) => {
        const message = `unknown version: ${subject}; this winnode knows versions up to ${lastOf(newest)} (data of ${tablesDate})`
        if (!facts.allowNewer) return { message }
        return {
          severity: 'warning',
          message: `${message}; uses ${taken} of that line`,
          remedy: 'Update winnode, or test the node before production use.',
        }
      }),
  })
}

export const newerLines: readonly Rule[] = [
  newerLine(kubernetes, 'flags, fields, feature gates, containerd versions and the sandbox image', {
    id: 'kubernetes-newer-than-tables',
    summary: 'The Kubernetes minor is known.',
    see: releases,
  }),
  newerLine(containerd, 'the config.toml formats', {
    id: 'containerd-newer-than-tables',
    summary: 'The containerd version is known.',
    see: runtimes,
  }),
  newerLine(programs, 'the download URL format', {
    id: 'program-newer-than-tables',
    summary: 'The versions of all other programs are known.',
    see: criTools,
  }),
]

export const newerPatch = defineRule({
  id: 'patch-newer-than-tables',
  severity: 'warning',
  harm: 'ages',
  summary: 'The patch versions of all components are known.',
  remedy: 'Check that this release exists, and update winnode.',
  see: releases,
  check: (facts) =>
    [kubernetes, containerd, programs].flatMap((released) =>
      conflictsWith(['newer-patch'], released, facts, (subject) => ({
        message: `unknown version: ${subject} is newer than the newest known patch (data of ${tablesDate})`,
      })),
    ),
})

export const kubernetesTooOld = defineRule({
  id: 'kubernetes-older-than-tables',
  severity: 'error',
  summary: 'The Kubernetes minor is not older than the known ones.',
  remedy: 'Upgrade to a supported minor.',
  upgrades: ['kubelet'],
  see: releases,
  check: (facts) =>
    conflictsWith(['older-line', 'no-line'], kubernetes, facts, (subject) => ({
      message: `unknown version: ${subject}; this winnode knows Kubernetes from ${minorsWith(facts.added)[0].minor} on`,
    })),
})

export const containerdLineUnknown = defineRule({
  id: 'containerd-line-unknown',
  severity: 'error',
  summary: 'The containerd version is of a known line.',
  remedy: 'Upgrade to a supported line.',
  upgrades: ['containerd'],
  see: runtimes,
  check: (facts) =>
    conflictsWith(['older-line', 'no-line'], containerd, facts, (subject) => ({
      message: `unknown version: ${subject}; known lines are ${linesWith(facts.added)
        .map(({ line }) => line)
        .join(', ')}`,
    })),
})
