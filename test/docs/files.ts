// docs/files.md: every rendered file, where it goes, and what each setting in it is for.
import { flagsOf } from '../../src/components/flags.ts'
import type { PlannedFile } from '../../src/model/plan.ts'
import type { Settings } from '../../src/model/setting.ts'
import { allCases } from './cases.ts'
import { code, page, prose } from './markdown.ts'
import { servicesOf, type Rendered } from './rendered.ts'
import { walk } from './walk.ts'

const intro = `# Files of a bundle

What \`winnode render\` writes for containerd, the kubelet, kube-proxy, kubeadm, the network plugin and
the cluster; where each file is installed, and why each setting has its value. This page is generated
from the tables that write the files. A test compares them with the files of every built-in profile and every
version branch: each setting is explained, and each explanation is used.

- A name with a dot is a nested key. \`*\` stands for any key, \`[]\` for each item of a list.
- Files with node facts are JSON. The node fills in those values, and then compares the whole text.
- Folders with keys, configuration and programs are accessible to SYSTEM and Administrators only.
- The bundle's \`README.md\` describes what the scripts do, step by step; the scripts read \`node.json\`, and
  \`bom.json\` lists the downloads.`

export async function filesPage(): Promise<string> {
  const cases = await allCases()
  return page([
    intro,
    ...chaptersOf(cases),
    '## Command lines of the services',
    'Registered by Install and Join; `Test-WinNode.ps1` compares them. Flags that a minor does not support are not written for it.',
    ...servicesIn(cases).flatMap((name) => [`### ${name}`, ...settings(flagsOf(name) ?? {})]),
    ...(await walk()),
  ])
}

/** One for each table of settings; files for the node first. */
function chaptersOf(cases: readonly Rendered[]): readonly string[] {
  const kinds = new Map<Settings, PlannedFile[]>()
  for (const file of cases.flatMap(({ plan }) => plan.files)) {
    const table = file.settings
    if (table) kinds.set(table, [...(kinds.get(table) ?? []), file])
  }
  const chapters = [...kinds.entries()].map(([table, files]) => chapter(table, files))
  return chapters.toSorted(([a = ''], [b = '']) => (order(a) < order(b) ? -1 : 1)).flat()
}

/** Files of the node before files of the cluster. */
const order = (title: string) => title.replace('files/', ' ')

function chapter(table: Settings, files: readonly PlannedFile[]): readonly string[] {
  const titles = [...new Set(files.map(titleOf))].toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  const summaries = new Map(files.map((file) => [titleOf(file), file.summary]))
  return [
    `## ${titles.join(' and ')}`,
    titles.map((title) => prose(summaries.get(title) ?? '')).join(' '),
    places(files),
    ...settings(table),
  ]
}

/** Files of one kind have one title. */
function titleOf({ path, body }: PlannedFile): string {
  const version = path.endsWith('config.toml') && body.kind === 'toml' && body.value['version']
  if (typeof version === 'number') return `${path}, version ${version}`
  return path
    .replace(/certs\.d\/[^/]+/, 'certs.d/REGISTRY')
    .replace('runtime-class-hyperv', 'runtime-class')
}

const when = {
  image: 'by Install',
  beforeJoin: 'by Join, before kubeadm runs',
  join: 'by Join',
  afterJoin: 'by Join',
  boot: 'at the end of a join, and whenever its network is created again',
} as const

function places(files: readonly PlannedFile[]): string {
  const lines = files.map(({ path, install }) => {
    if (!install)
      return path.startsWith('cluster/')
        ? '- For the cluster; it does not go to the node.'
        : '- Read from the bundle by Join.'
    const filled = (install.derive ?? []).flatMap(({ value }) =>
      value.flatMap(({ fact }) => fact ?? []),
    )
    const facts = filled.length > 0 ? `, with ${filled.map(code).join(', ')} of this machine` : ''
    const to = install.path.replace(/certs\.d\\[^\\]+/, 'certs.d\\REGISTRY')
    return `- On the node: ${code(to)}, written ${when[install.phase]}${facts}.`
  })
  return [...new Set(lines)].join('\n')
}

/** The source that most of them have stands once. */
function settings(table: Settings): readonly string[] {
  const sources = Object.values(table).map(({ see }) => see)
  const count = (source: string) => sources.filter((each) => each === source).length
  const [most = ''] = sources.toSorted((a, b) => count(b) - count(a))
  const lines = Object.entries(table).map(([path, { why, see }]) => {
    const own = see === most ? '' : ` ([source](${see}))`
    return `- ${code(path)}: ${prose(why)}${own}`
  })
  return [`Source, where a line names no other: <${most}>`, lines.join('\n')]
}

function servicesIn(cases: readonly Rendered[]): readonly string[] {
  return [...new Set(cases.flatMap(({ plan }) => servicesOf(plan).map(({ name }) => name)))]
}
