// Versions that the tables know nothing of: newer than they are, older, or of no line at all.
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

interface Known extends Component {
  readonly newest: Patches
  /** Where its releases are listed. */
  readonly see: string
}

const releases = 'https://kubernetes.io/releases/'
const runtimes = 'https://containerd.io/releases/'
const criTools = 'https://github.com/kubernetes-sigs/cri-tools/releases'

const [firstMinor, ...minors] = kubernetesMinors
const [firstLine, ...lines] = containerdLines
const [firstCrictl, ...crictls] = crictlReleases
const ofKubernetes: Patches = [firstMinor.newestPatch, ...minors.map((row) => row.newestPatch)]
const ofContainerd: Patches = [firstLine.newestPatch, ...lines.map((row) => row.newestPatch)]
const ofCrictl: Patches = [firstCrictl.version, ...crictls.map((row) => row.version)]

const kubernetes: readonly Known[] = [
  { ...components.kubelet, newest: ofKubernetes, see: releases },
  { ...components['kube-apiserver'], newest: ofKubernetes, see: releases },
  { ...components['kube-proxy'], newest: ofKubernetes, see: releases },
  { ...components.kubeadm, newest: ofKubernetes, see: releases },
]
const containerd: readonly Known[] = [
  { ...components.containerd, newest: ofContainerd, see: runtimes },
]
const programs: readonly Known[] = [
  { ...components.crictl, newest: ofCrictl, see: criTools },
  ...pluginComponents,
]

/** Conflicts of a standing; a version that several components have is told once. */
function standing(
  known: readonly Known[],
  { spec }: Facts,
  wanted: readonly Standing[],
  tell: (subject: string, newest: Patches) => Omit<Conflict, 'path'>,
): readonly Conflict[] {
  const used = known.filter((one) => one.used(spec))
  const found = used.filter((one) => wanted.includes(standingAmong(one.newest, one.version(spec))))
  const told = found.filter(
    (one, at) => found.findIndex((other) => other.version(spec) === one.version(spec)) === at,
  )
  return told.map(({ title, path, version, newest, see }) => ({
    path,
    see,
    ...tell(`${title} ${version(spec)}`, newest),
  }))
}

const lastOf = (newest: Patches) => lastRow(newest, () => true)

function newerLine(
  known: readonly Known[],
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
      standing(known, facts, ['newer-line'], (subject, newest) => {
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
    [kubernetes, containerd, programs].flatMap((known) =>
      standing(known, facts, ['newer-patch'], (subject) => ({
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
    standing(kubernetes, facts, ['older-line', 'no-line'], (subject) => ({
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
    standing(containerd, facts, ['older-line', 'no-line'], (subject) => ({
      message: `${subject} is of none of the lines ${containerdLines.map(({ line }) => line).join(', ')}`,
    })),
})
