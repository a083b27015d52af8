// winnode lint of the manifests that winnode renders itself, for the nodes of their profiles.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { compile } from '../../src/compile.ts'
import { readManifests } from '../../src/io/kubernetes-manifests.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { lint } from '../../src/workloads/lint.ts'
import { today } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'
import { app, linted } from './objects.ts'

const golden = path.join(root, 'test/golden')
const names = readdirSync(golden, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Notes, and why each stays. */
const accepted: Readonly<Record<string, string>> = {
  'build-not-selected': 'the images of HostProcess pods run on every build',
  'limits-missing': 'kube-proxy and the SMB CSI driver are parts of the node',
  'requests-below-limits': 'what they use for moments would be missing for other pods all the time',
  'service-from-host-process': 'they connect to no Service',
}

t.test('lint finds only accepted notes in the manifests of every golden bundle', async (t) => {
  const met = new Set<string>()
  let workloads = 0
  for (const name of names) {
    const profile = path.join('test/golden', name, 'profile.yaml')
    const { facts: node } = compile(loadProfile({ profile, root, cwd: root }).layers, name, {
      today,
    })
    const folder = path.join(golden, name, 'bundle/cluster')
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
    const read = files.map((file) => readManifests(readFileSync(path.join(folder, file)), file))
    const manifests = read.flatMap((one) => one.manifests)
    const found = lint(manifests, { node })
    workloads += found.workloads
    for (const { id, severity, message } of [
      ...read.flatMap(({ findings }) => findings),
      ...found.findings,
    ]) {
      t.equal(severity, 'info', `${name}: ${id}: ${message}`)
      t.ok(Object.hasOwn(accepted, id), `${name}: ${id}: ${message}`)
      met.add(id)
    }
  }
  t.ok(workloads >= 8, `${workloads} workloads for Windows`)
  t.strictSame([...met].toSorted(), Object.keys(accepted), 'each note is met')
})

t.test('a missing limit matters less for pods that are part of the node', async (t) => {
  const severity = (priorityClassName: string) =>
    linted([app({ resources: null }, { priorityClassName })])
      .findings.filter(({ id }) => id === 'limits-missing')
      .map((one) => one.severity)
  t.strictSame(severity('system-node-critical'), ['info'])
  t.strictSame(severity('web'), ['warning'])
})
