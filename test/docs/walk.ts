// A walk through the files of two nodes: an old one and the newest, setting by setting.
import type { Json } from '../../src/model/json.ts'
import type { Plan, PlannedFile } from '../../src/model/plan.ts'
import { code, prose, table } from './markdown.ts'
import { documentsOf, flagsIn, leavesOf, rendered, servicesOf, type Rendered } from './rendered.ts'

type Cells = ReadonlyMap<string, string>

/** Both as built-in profiles have them, but for the versions named here. */
export async function walk(): Promise<readonly string[]> {
  const old = await rendered('old', 'ws2019-flannel-overlay', {
    kubernetes: { version: '1.28' },
    containerd: { version: '1.7' },
  })
  const newest = await rendered('newest', 'ws2025-flannel-overlay', {})
  return [
    '## A walk through two nodes',
    'The built-in profile `ws2019-flannel-overlay` with Kubernetes 1.28 and containerd 1.7 beside `ws2025-flannel-overlay` as it is: the same network, seven years of Windows apart. A dash means that the file does not have the setting; a name in angle brackets is filled in on the node. Manifests for the cluster that are the same for both are left out.',
    compare('Decided', decisions(old), decisions(newest)),
    ...sections(old, newest),
  ]
}

/** Files of the node before files of the cluster. */
const order = (path: string) => path.replace('files/', ' ')

function decisions({ plan }: Rendered): Cells {
  return new Map(plan.decisions.map(({ subject, value }) => [subject, value]))
}

function sections(old: Rendered, newest: Rendered): readonly string[] {
  const all = [old, newest].flatMap(({ plan }) => plan.files.filter(({ settings }) => settings))
  const paths = [...new Set(all.map(({ path }) => path))].toSorted((a, b) =>
    order(a) < order(b) ? -1 : 1,
  )
  const telling = paths.filter(
    (path) => !path.startsWith('cluster/') || old.files.get(path) !== newest.files.get(path),
  )
  const files = telling.flatMap((path) => [
    `### ${path}, side by side`,
    compare('Setting', cellsOf(old, path), cellsOf(newest, path)),
  ])
  const services = servicesOf(newest.plan).flatMap(({ name }) => [
    `### Command line of ${name}, side by side`,
    compare('Flag', flagCells(old, name), flagCells(newest, name)),
  ])
  return [...files, ...services]
}

function cellsOf({ plan, files }: Rendered, path: string): Cells {
  const file = plan.files.find((each) => each.path === path)
  const documents = file ? documentsOf(file, files.get(path) ?? '') : []
  const late = file ? filledIn(plan, file) : new Map<string, string>()
  const cells = new Map<string, string>()
  for (const leaf of documents.flatMap((document) => leavesOf(document))) {
    const name = nameOf(leaf.path)
    const value = late.get(`/${leaf.path.join('/')}`) ?? written(leaf.value)
    cells.set(name, cells.has(name) ? `${cells.get(name) ?? ''}, ${value}` : value)
  }
  return cells
}

const written = (value: Json) =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value)

/** What the node sets in a file, by its pointer. */
function filledIn(plan: Plan, { path, install }: PlannedFile): ReadonlyMap<string, string> {
  const join = plan.steps.find((step) => step.kind === 'kubeadmJoin' && step.source === path)
  const derived = [...(install?.derive ?? []), ...(join?.kind === 'kubeadmJoin' ? join.derive : [])]
  const facts = derived.map(({ pointer, value }) => {
    const text = value.map((part) => part.text + (part.fact ? `<${part.fact}>` : '')).join('')
    return [pointer, text] as const
  })
  return new Map([
    ...facts,
    ...(join?.kind === 'kubeadmJoin' ? [[join.tokenPointer, '<token>'] as const] : []),
  ])
}

function flagCells({ plan }: Rendered, name: string): Cells {
  const services = servicesOf(plan).filter((service) => service.name === name)
  return new Map(services.flatMap(flagsIn).map((flag) => [flag.name, flag.value]))
}

function nameOf(path: readonly string[]): string {
  const keys = path.map((key) => (key === '[]' || /^[\w-]+$/.test(key) ? key : JSON.stringify(key)))
  return keys.join('.').replaceAll('.[]', '[]')
}

function compare(title: string, old: Cells, newest: Cells): string {
  const cell = (cells: Cells, key: string) => (cells.has(key) ? cellOf(cells.get(key) ?? '') : '—')
  const rows = [...new Set([...old.keys(), ...newest.keys()])].map((key) => [
    title === 'Decided' ? prose(key) : cellOf(key),
    cell(old, key),
    cell(newest, key),
  ])
  return table([title, 'Windows Server 2019, 1.28, 1.7', 'Windows Server 2025, the newest'], rows)
}

const cellOf = (text: string) => (text === '' ? 'given' : code(text).replaceAll('|', '\\|'))
