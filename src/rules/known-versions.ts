// Versions outside of the tables: newer, older, or of a line that does not exist.
import { containerdLines } from '../matrix/containerd.ts'
import { kubernetesMinors } from '../matrix/kubernetes.ts'
import { lastRow } from '../matrix/nearest.ts'
import { standingAmong, type Standing } from '../matrix/standing.ts'
import { tablesDate } from '../matrix/tables-date.ts'
import { crictlReleases } from '../matrix/tools.ts'
import type { Facts } from '../model/facts.ts'
import type { Patches } from '../model/released.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { components, pluginComponents, type Component } from './components.ts'

interface ReleasedComponent extends Component {
  /** The newest patch of each known line. */
  readonly newest: Patches
  /** Its page of releases. */
  readonly see: string
}

const releases = 'https://kubernetes.io/releases/'
const runtimes = 'https://containerd.io/releases/'
const criTools = 'https://github.com/kubernetes-sigs/cri-tools/releases'

const [firstMinor, ...minors] = kubernetesMinors
const [firstLine, ...lines] = containerdLines
const [firstCrictl, ...crictls] = crictlReleases
const kubernetesPatches: Patches = [firstMinor.newestPatch, ...minors.map((row) => row.newestPatch)]
const containerdPatches: Patches = [firstLine.newestPatch, ...lines.map((row) => row.newestPatch)]
const crictlPatches: Patches = [firstCrictl.version, ...crictls.map((row) => row.version)]

const kubernetes: readonly ReleasedComponent[] = [
  { ...components.kubelet, newest: kubernetesPatches, see: releases },
  { ...components['kube-apiserver'], newest: kubernetesPatches, see: releases },
  { ...components['kube-proxy'], newest: kubernetesPatches, see: releases },
  { ...components.kubeadm, newest: kubernetesPatches, see: releases },
]
const containerd: readonly ReleasedComponent[] = [
  { ...components.containerd, newest: containerdPatches, see: runtimes },
]
const programs: readonly ReleasedComponent[] = [
  { ...components.crictl, newest: crictlPatches, see: criTools },
  ...pluginComponents,
]

/** A conflict for each version with one of these standings; components with the same version are reported once. */
function conflictsWith(
  standings: readonly Standing[],
  candidates: readonly ReleasedComponent[],
  { spec }: Facts,
  describe: (subject: string, newest: Patches) => Omit<Conflict, 'path'>,
): readonly Conflict[] {
  const found = candidates.filter(
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
  candidates: readonly ReleasedComponent[],
  taken: string,
  rule: Pick<Rule, 'id' | 'summary' | 'see'>,
): Rule {
  return defineRule({
    ...rule,
    severity: 'error',
    weighed: true,
    remedy:
      'Update winnode, or give --allow-newer to take what the tables lack from the newest line that they know.',
    check: (facts) =>
      conflictsWith(['newer-line'], candidates, facts, (subject, newest) => {
        const message = `${subject} is newer than the tables of ${tablesDate}, which end at ${lastOf(newest)}`
        if (!facts.allowNewer) return { message }
        return {
          severity: 'warning',
          message: `${message}; ${taken} taken from there`,
          remedy: 'Update winnode, and try the node before you trust it.',
        }
      }),
  })
}

export const newerLines: readonly Rule[] = [
  newerLine(
    kubernetes,
    'flags, fields, gates, the containerd that goes with it and the sandbox image are',
    {
      id: 'kubernetes-newer-than-tables',
      summary: 'The tables know the Kubernetes minor.',
      see: releases,
    },
  ),
  newerLine(containerd, 'the formats of config.toml are', {
    id: 'containerd-newer-than-tables',
    summary: 'The tables know the containerd line.',
    see: runtimes,
  }),
  newerLine(programs, 'the form of its address is', {
    id: 'program-newer-than-tables',
    summary: 'The tables know the line of each program beside Kubernetes and containerd.',
    see: criTools,
  }),
]

export const newerPatch = defineRule({
  id: 'patch-newer-than-tables',
  severity: 'warning',
  harm: 'ages',
  summary: 'The tables know the patch of each component.',
  remedy: 'Make sure that this release exists, and update winnode.',
  see: releases,
  check: (facts) =>
    [kubernetes, containerd, programs].flatMap((candidates) =>
      conflictsWith(['newer-patch'], candidates, facts, (subject) => ({
        message: `${subject} is newer than the newest patch of its line in the tables of ${tablesDate}`,
      })),
    ),
})

export const kubernetesTooOld = defineRule({
  id: 'kubernetes-older-than-tables',
  severity: 'error',
  summary: 'The Kubernetes minor is one that winnode knows.',
  remedy: 'Move to a supported minor.',
  upgrades: ['kubelet'],
  see: releases,
  check: (facts) =>
    conflictsWith(['older-line', 'no-line'], kubernetes, facts, (subject) => ({
      message: `${subject} is older than ${firstMinor.minor}, where the tables begin`,
    })),
})

export const containerdLineUnknown = defineRule({
  id: 'containerd-line-unknown',
  severity: 'error',
  summary: 'The containerd version is of a line that was released, and that winnode knows.',
  remedy: 'Move to a supported line.',
  upgrades: ['containerd'],
  see: runtimes,
  check: (facts) =>
    conflictsWith(['older-line', 'no-line'], containerd, facts, (subject) => ({
      message: `${subject} is of none of the lines ${containerdLines.map(({ line }) => line).join(', ')}`,
    })),
})
