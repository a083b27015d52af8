// winnode matrix: verdicts from the rules, in tables that fit the terminal.
import { t } from 'tap'
import { backendsOf, cniNames, cniOf } from '../../src/cni/index.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { runsKubernetes, windowsReleases } from '../../src/matrix/windows.ts'
import { rules } from '../../src/rules/index.ts'
import { matrixText } from '../../src/present/matrix.ts'
import { plainScreen } from '../../src/present/screen.ts'
import { widthOf } from '../../src/present/width.ts'
import { inProcess } from '../tools/run.ts'

interface Cell {
  readonly windows: string
  readonly kubernetes: string
  readonly version: string
  readonly containerd: string
  readonly cni: string
  readonly mode: string
  readonly backend: string
  readonly verdict: string
  readonly needs: readonly string[]
  readonly findings: readonly { readonly id: string; readonly severity: string }[]
}

const asOf = '2026-11-26'
const day = ['--as-of', asOf]

async function cellsOf(...argv: readonly string[]): Promise<readonly Cell[]> {
  const { stdout, code } = await inProcess(['matrix', ...day, ...argv, '--json'])
  t.equal(code, 0, argv.join(' '))
  return (JSON.parse(stdout) as { readonly cells: readonly Cell[] }).cells
}

const textOf = async (...argv: readonly string[]) =>
  (await inProcess(['matrix', ...day, ...argv])).stdout

t.test('one combination', async (t) => {
  t.equal(
    await textOf('--windows', 'ws2025', '--kubernetes', '1.36', '--cni', 'calico'),
    `Windows Server 2025 (ws2025), containerd 2.3.7

NETWORK          BACKEND  1.36
calico overlay   vxlan    no 1
calico l2bridge  bgp      no 1
calico l2bridge  none     no 1

 1  calico-lacks-windows-release: Calico does not support Windows Server 2025, only Windows Server 2019 and 2022
`,
  )
})

t.test('a verdict changes where a rule does', async (t) => {
  const rows: readonly [
    windows: string,
    minor: string,
    cni: string,
    verdict: string,
    id: string,
  ][] = [
    ['ws2022', '1.36', 'calico', 'warn', 'calico-untested-with-kubernetes'],
    ['ws2025', '1.35', 'calico', 'no', 'calico-lacks-windows-release'],
    ['ws2025', '1.31', 'win-bridge', 'warn', 'windows-release-unlisted'],
    ['ws2025', '1.30', 'win-bridge', 'no', 'windows-release-unsupported'],
    ['ws2022', '1.25', 'antrea', 'no', 'antrea-needs-host-process'],
    ['ws2022', '1.35', 'eks', 'ok', ''],
  ]
  for (const [windows, minor, cni, verdict, id] of rows) {
    const cells = await cellsOf('--windows', windows, '--kubernetes', minor, '--cni', cni)
    const name = [windows, minor, cni].join(' ')
    for (const cell of cells) {
      t.equal(cell.verdict, verdict, name)
      const ids = cell.findings.map((finding) => finding.id)
      if (id === '') t.strictSame(ids, [], name)
      else t.ok(ids.includes(id), `${name}: ${ids.join(' ')}`)
    }
    t.ok(cells.length > 0, name)
  }
})

t.test('a release has the names that explain knows', async (t) => {
  for (const name of ['ltsc2022', '20348', 'Windows Server 2022'])
    t.strictSame(
      new Set((await cellsOf('--windows', name)).map(({ windows }) => windows)),
      new Set(['ws2022']),
      name,
    )
})

t.test('a cell is what validate says of a profile with these values', async (t) => {
  for (const [profile, windows, minor, line] of [
    ['ws2022-flannel-overlay', 'ws2019', '1.33', '1.7'],
    ['ws2022-win-bridge', 'ws2022', '1.37', '1.5'],
    ['ws2022-win-bridge', 'ws2022', '1.30', '2.4'],
  ] as const) {
    const set = {
      'windows.release': windows,
      'windows.revision': '99999',
      'kubernetes.version': `'${minor}'`,
      'containerd.version': `'${line}'`,
    }
    const sets = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`])
    const { stdout } = await inProcess(['validate', profile, ...day, ...sets, '--json'])
    const { findings } = JSON.parse(stdout) as Pick<Cell, 'findings'>
    const cni = profile.includes('flannel') ? 'flannel' : 'win-bridge'
    const [cell] = await cellsOf(
      ...['--windows', windows, '--kubernetes', minor, '--containerd', line, '--cni', cni],
    )
    const errors = findings.filter(({ severity }) => severity === 'error')
    const said =
      errors.length > 0 ? errors : findings.filter(({ severity }) => severity === 'warning')
    t.strictSame(
      cell?.findings.map(({ id }) => id),
      said.map(({ id }) => id),
      profile,
    )
  }
})

t.test('without filters: what is supported on that day; --all adds the rest', async (t) => {
  const names = (cells: readonly Cell[], key: 'windows' | 'kubernetes') => [
    ...new Set(cells.map((cell) => cell[key])),
  ]
  const networks = cniNames.flatMap((cni) =>
    Object.entries(cniOf(cni).modes).flatMap(([mode, row]) =>
      backendsOf(row).map((backend) => `${cni} ${mode} ${backend}`),
    ),
  )
  const supported = await cellsOf()
  t.strictSame(names(supported, 'windows'), ['ws2025', 'ws2022', 'ws2019'])
  t.strictSame(
    names(supported, 'kubernetes'),
    kubernetesMinors
      .filter(({ endOfLife }) => endOfLife > asOf)
      .map(({ minor }) => minor)
      .toReversed(),
  )
  t.strictSame(
    [...new Set(supported.map(({ cni, mode, backend }) => `${cni} ${mode} ${backend}`))],
    networks,
    'every plugin in every mode with every backend',
  )
  const all = await cellsOf('--all')
  t.equal(
    all.length,
    windowsReleases.filter(runsKubernetes).length * kubernetesMinors.length * networks.length,
  )
  const known = new Set(rules.map(({ id }) => id))
  for (const { verdict, findings } of all) {
    const severities = new Set(findings.map(({ severity }) => severity))
    const expected = { ok: [], warn: ['warning'], no: ['error'] }[verdict]
    t.strictSame([...severities], expected)
    t.strictSame(
      findings.filter(({ id }) => !known.has(id)),
      [],
      'each comes from a rule',
    )
  }
  const late = await inProcess(['matrix', '--as-of', '2099-01-01'])
  t.match(late, { code: 2, stderr: /^error: nothing is supported on 2099-01-01\n {2}use --all/ })
})

t.test('flags repeat, or have commas, and the newest comes first', async (t) => {
  const argv = ['--windows', 'ws2022', '--cni', 'win-bridge']
  const commas = await cellsOf(...argv, '--kubernetes', '1.35,1.37', '--containerd', '2.2,2.3')
  const repeated = await cellsOf(
    ...argv,
    ...[
      '--kubernetes',
      '1.37',
      '--kubernetes',
      '1.35',
      '--containerd',
      '2.2',
      '--containerd',
      '2.3',
    ],
  )
  t.strictSame(commas, repeated)
  t.strictSame(
    commas.map(({ kubernetes, containerd }) => `${kubernetes} ${containerd.slice(0, 3)}`),
    ['1.37 2.2', '1.35 2.2', '1.37 2.3', '1.35 2.3'],
  )
  t.match(await inProcess(['matrix', '--cni', 'calcio']), {
    code: 2,
    stderr: /did you mean calico\?/,
  })
  t.match(await inProcess(['matrix', '--kubernetes', '1.99']), { code: 2, stderr: /1\.25, 1\.26/ })
  t.match(await inProcess(['matrix', '--kubernetes', '1.36.2']), { stderr: /did you mean 1\.36\?/ })
  const newest = kubernetesMinors.at(-1)?.minor
  t.match(await inProcess(['matrix', '--kubernetes', '1.99']), {
    stderr: `\n  did you mean ${newest}?\n`,
  })
  // 1.28 has most of its letters.
  t.match(await inProcess(['matrix', '--kubernetes', '1.2']), { stderr: /did you mean 1\.25\?/ })
  t.match(await inProcess(['matrix', '--kubernetes', '1.3']), { stderr: /did you mean 1\.30\?/ })
})

t.test('--backend: only the networks that have it', async (t) => {
  const one = ['--windows', 'ws2022', '--kubernetes', '1.35']
  const networks = (cells: readonly Cell[]) =>
    cells.map(({ cni, mode, backend }) => `${cni} ${mode} ${backend}`)
  t.strictSame(networks(await cellsOf(...one, '--backend', 'vxlan')), [
    'flannel overlay vxlan',
    'calico overlay vxlan',
    'antrea transparent vxlan',
  ])
  t.strictSame(
    networks(await cellsOf(...one, '--backend', 'bgp,none', '--cni', 'calico,flannel')),
    ['calico l2bridge bgp', 'calico l2bridge none'],
  )
  const [routed] = await cellsOf(...one, '--backend', 'none')
  t.match(routed, { verdict: 'ok', needs: ['join.endpoint', 'join.caCertHashes'] })
  t.match(await inProcess(['matrix', '--cni', 'flannel', '--backend', 'bgp']), {
    code: 2,
    stderr: 'error: flannel: no backend bgp\n  use vxlan, host-gw\n',
  })
  t.match(await inProcess(['matrix', '--cni', 'none', '--backend', 'bgp']), {
    code: 2,
    stderr: 'error: none: no backend bgp\n  winnode knows no backends of other plugins\n',
  })
  t.match(await inProcess(['matrix', '--backend', 'vxlam']), {
    code: 2,
    stderr: /did you mean vxlan\?/,
  })
})

t.test('as wide as a terminal; numbers lead to rules', async (t) => {
  const { cells } = JSON.parse(await textOf('--all', '--json'))
  for (const columns of [40, 80]) {
    const narrow = matrixText(cells, { ...plainScreen, columns })
    // The id of a rule is one word.
    const wide = narrow.split('\n').filter((line) => widthOf(line) > columns)
    t.strictSame(
      wide.filter((line) => !/^[ \d]+[a-z0-9-]+:$/.test(line)),
      [],
    )
  }
  const text = await textOf('--all')
  const lines = text.split('\n')
  const newest = kubernetesMinors.at(-1)?.minor ?? ''
  const heads = lines.filter((line) => line.startsWith('NETWORK'))
  t.ok(
    heads.every((line) => line.includes(newest)),
    'one table for each Windows release in a pipe',
  )
  t.strictSame(
    lines.filter((line) => line.endsWith(' ')),
    [],
  )
  const used = [...text.matchAll(/ (?:warn|no)((?: \d+)+)/g)].flatMap(([, numbers = '']) =>
    numbers.trim().split(' '),
  )
  const noted = [...text.matchAll(/^ ?(\d+) {2}[a-z0-9-]+: \S/gm)].map(([, number]) => number)
  t.strictSame(
    [...new Set(used)].toSorted((a, b) => Number(a) - Number(b)),
    noted,
  )
  t.equal(text, await textOf('--all'), 'the same again')
})

t.test(
  'Markdown: a rule whose findings have several sources is linked with none of them',
  async (t) => {
    const argv = [
      ...['matrix', ...day, '--all', '--windows', 'ws2022', '--kubernetes', '1.30'],
      ...['--containerd', '2.3,1.6', '--cni', 'win-bridge'],
    ]
    const { cells } = JSON.parse((await inProcess([...argv, '--json'])).stdout) as {
      readonly cells: readonly { readonly findings: readonly { id: string; see: string }[] }[]
    }
    const all = cells.flatMap(({ findings }) => findings)
    const { stdout } = await inProcess([...argv, '--markdown'])
    const links = [...new Set(all.map(({ id }) => id))].map((id) => {
      const sources = new Set(all.filter((one) => one.id === id).map(({ see }) => see))
      const isLinked = stdout.includes(`. [\`${id}\`](`)
      t.equal(isLinked, sources.size === 1, id)
      return isLinked
    })
    t.strictSame(new Set(links), new Set([true, false]), 'there are both')
  },
)

t.test('Markdown: tables, and a link to the source of each rule', async (t) => {
  const markdown = await textOf(
    '--windows',
    'ws2022',
    '--kubernetes',
    '1.35,1.36',
    '--cni',
    'calico',
    '--markdown',
  )
  t.equal(
    markdown,
    `## Windows Server 2022 (ws2022), containerd 2.3.7

| Network | Backend | 1.36 | 1.35 |
| --- | --- | --- | --- |
| calico overlay | vxlan | warn 2 | ok |
| calico l2bridge | bgp | warn 1 2 | warn 1 |
| calico l2bridge | none | warn 2 | ok |

1. [\`calico-configures-no-bgp\`](https://github.com/projectcalico/calico/issues/11714): no BGP is configured on Windows nodes by Calico 3.32.0 and 3.32.1, so no node has routes to their pods
2. [\`calico-untested-with-kubernetes\`](https://docs.tigera.io/calico/latest/getting-started/kubernetes/requirements): Calico 3.32 is tested up to Kubernetes 1.35, not with 1.36
`,
  )
  const clean = await textOf(
    '--windows',
    'ws2022',
    '--kubernetes',
    '1.35',
    '--cni',
    'eks',
    '--markdown',
  )
  t.match(clean, /\| eks [^|]*\|[^|]*\| ok \|\n$/, 'no notes')
})
