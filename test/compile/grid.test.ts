// The grid: every Windows release, minor, containerd line, network and join either renders files that
// its programs read, or is refused by a rule with a name.
import t from 'tap'
import { checkWithoutUpgrades } from '../../src/check.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { containerdLines } from '../../src/matrix/containerd.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { tablesDate } from '../../src/matrix/tables-date.ts'
import { windowsReleases } from '../../src/matrix/windows.ts'
import { hasErrors } from '../../src/model/finding.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { planOf } from '../../src/plan.ts'
import { renderFiles } from '../../src/render/render.ts'
import { rules } from '../../src/rules/index.ts'
import { judgeBundle } from '../judge/judge.ts'
import { matrixPage, type Cell } from '../docs/matrix.ts'
import { errorsOf, layerOf, textsOf, versionsOf } from '../tools/bundle.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { root } from '../tools/run.ts'
import { everything } from '../tools/everything.ts'

const networks: Readonly<Record<string, JsonObject>> = {
  overlay: { network: { mode: 'overlay', cni: 'flannel' } },
  l2bridge: { network: { mode: 'l2bridge', cni: 'flannel', nodeCIDRs: ['10.0.0.0/24'] } },
  transparent: {
    network: { mode: 'transparent', cni: 'antrea', antrea: { ovsDriver: 'signed' } },
    host: { features: ['Containers', 'Hyper-V', 'Hyper-V-PowerShell'] },
  },
}

const hash = `sha256:${'a'.repeat(64)}`
const endpoint = 'api.example.com:6443'
const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const joins: Readonly<Record<string, JsonObject>> = {
  kubeadm: { join: { method: 'kubeadm', endpoint, caCertHashes: [hash] } },
  bootstrapKubeconfig: { join: { method: 'bootstrapKubeconfig', endpoint, ca } },
}

/** A machine with every update: rules with separate tests refuse older ones. */
const revision = 99_999

const { layers: base } = loadProfile({ profile: 'base', root, cwd: root })
const judging = { today: tablesDate, allowNewer: false }
const named = new Set(rules.map(({ id }) => id))
const standIn = (source: string) => new TextEncoder().encode(source)

/** The same file for the same versions is checked once. */
const known = new Map<string, readonly string[]>()

function faultsOf(files: ReadonlyMap<string, string>, versions: Parameters<typeof judgeBundle>[1]) {
  return [...files].flatMap(([path, text]) => {
    const key = JSON.stringify([path, text, versions])
    const found = known.get(key) ?? judgeBundle(new Map([[path, text]]), versions)
    known.set(key, found)
    return found
  })
}

t.test('every cell renders, or is refused by a rule', async (t) => {
  const cells: Cell[] = []
  const faults: string[] = []
  for (const { id: release } of windowsReleases)
    for (const { minor } of kubernetesMinors)
      for (const { line } of containerdLines)
        for (const [network, networking] of Object.entries(networks))
          for (const [join, joining] of Object.entries(joins)) {
            const name = [release, minor, line, network, join].join(' ')
            const cell = layerOf({
              windows: { release, revision },
              kubernetes: { version: minor },
              containerd: { version: line },
              ...networking,
              ...joining,
            })
            // Remedies are not read here, and trying versions for them takes longer than all the rest.
            const judged = checkWithoutUpgrades([...base, cell], 'grid', judging)
            const { findings, facts, decisions } = judged
            const plan = hasErrors(findings) ? undefined : planOf(facts, decisions)
            const refused = errorsOf(judged)
            const warnings = findings.filter(({ severity }) => severity === 'warning')
            cells.push({
              release,
              minor,
              line,
              network,
              join,
              refused: [...new Set(refused)].sort(),
              warnings: warnings.map(({ id }) => id),
            })
            faults.push(...refused.filter((id) => !named.has(id)).map((id) => `${name}: ${id}`))
            if ((plan === undefined) !== refused.length > 0) faults.push(`${name}: no plan`)
            if (!plan) continue
            // A prime beside the six networks and joins of each row, so that all of them are rendered.
            if (!everything && cells.length % 17 !== 0) continue
            const files = textsOf(await renderFiles(plan, standIn))
            faults.push(...faultsOf(files, versionsOf(judged)).map((fault) => `${name}: ${fault}`))
          }
  const modes = Object.keys(networks).length * Object.keys(joins).length
  const all = windowsReleases.length * kubernetesMinors.length * containerdLines.length * modes
  t.equal(cells.length, all, `${all} cells`)
  t.strictSame(faults.slice(0, 20), [])
  const rendered = cells.filter(({ refused }) => refused.length === 0).length
  t.ok(rendered > all / 10 && rendered < all, `${rendered} of them render`)
  checkedIn(t, 'docs/matrix.md', matrixPage(cells))
})
