// winnode drift of bundles: each difference is reported once, and values with the same meaning do not differ.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { compareTrees } from '../../src/drift/compare.ts'
import { shapeOfFile } from '../../src/drift/shape.ts'
import type { Json } from '../../src/model/json.ts'
import { digestOf } from '../../src/render/digest.ts'
import { inProcess, spawned } from '../tools/run.ts'
import { sign, signature } from '../tools/sign.ts'
import { ask, copyOf, scratch, profile, rendered, swap } from './asking.ts'

t.test('an untouched bundle says nothing', async (t) => {
  const { stdout, code } = await inProcess(['drift', profile, rendered])
  t.equal(stdout, 'no drift\n')
  t.equal(code, 0)
})

t.test('a signed script is as it was rendered, and the next render replaces it', async (t) => {
  for (const lineEnd of ['\n', '\r\n']) {
    const folder = copyOf({})
    sign(folder, lineEnd)
    t.match(await inProcess(['drift', profile, folder]), { code: 0, stdout: 'no drift\n' })
    appendFileSync(path.join(folder, 'Test-WinNode.ps1'), 'New-Item C:\\owned\r\n')
    t.match(await inProcess(['drift', profile, folder]), {
      code: 4,
      stdout: /^error\[file-edited\] \S+Test-WinNode\.ps1:1:1$/m,
    })
    t.match(await inProcess(['render', profile, '--out', folder]), {
      code: 5,
      stderr: /Test-WinNode\.ps1 was modified by hand/,
    })
    rmSync(path.join(folder, 'Test-WinNode.ps1'))
    t.match(await inProcess(['render', profile, '--out', folder]), { code: 0 })
    t.notMatch(readFileSync(path.join(folder, 'WinNode.psm1'), 'utf8'), signature)
  }
})

t.test('an edit is named by its file and field, with its line', async (t) => {
  const folder = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const { exit, drift, need } = await ask(profile, folder)
  t.equal(exit, 4)
  t.equal(need, 'install')
  const line = readFileSync(path.join(folder, 'files/kubelet/config.json'), 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('maxPods'))
  t.match(drift, [
    {
      id: 'field-edited',
      severity: 'warning',
      subject: 'files/kubelet/config.json#maxPods',
      owner: 'theirs',
      was: 60,
      should: 110,
      message: 'maxPods: is 60, expected 110',
      place: { file: path.join(folder, 'files/kubelet/config.json'), line: line + 1 },
      field: 'kubelet.maxPods',
      fieldFrom: 'default',
    },
  ])
  t.equal(drift.length, 1)
  const threshold = copyOf({ 'files/kubelet/config.json': swap('"500Mi"', '"400Mi"') })
  t.match(
    (await ask(profile, threshold)).drift,
    [{ field: 'reserve.evictionHard."memory.available"' }],
    'in a map, its entry',
  )
})

t.test('an edit of TOML has its line below a list, and whatever quotes a table has', async (t) => {
  const file = 'files/containerd/config.toml'
  for (const quote of ["'", '"']) {
    const edited = (text: string) =>
      text.replace(/(?<=\nconf_dir = ).*/, '"C:\\\\own"').replaceAll("'", quote)
    const folder = copyOf({ [file]: edited })
    const { drift } = await ask(profile, folder)
    const lines = readFileSync(path.join(folder, file), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.startsWith('conf_dir')) + 1
    t.match(lines[line - 2], /^bin_dirs = \[/)
    t.match(drift, [{ id: 'field-edited', should: 'C:\\etc\\cni\\net.d', place: { line } }], quote)
  }
})

t.test('an edit of a step has its line where the profile drops a step before it', async (t) => {
  const edited = (text: string) =>
    text.replace(/(?<="id": "running-kubelet"[^}]*"timeout": )60/, '61')
  const folder = copyOf({ 'node.json': edited })
  const { drift } = await ask(profile, folder, '--set', 'host.excludedPorts=[]')
  const lines = readFileSync(path.join(folder, 'node.json'), 'utf8').split('\n')
  const found = drift.find(({ subject }) => subject === 'node.json#steps.running-kubelet.timeout')
  t.equal(found?.place.line, lines.findIndex((text) => text.includes('"timeout": 61')) + 1)
})

t.test('whose change it is', async (t) => {
  const pods = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const rows: readonly [name: string, folder: string, sets: readonly string[], owner: string][] = [
    ['the profile says something else today', rendered, ['kubelet.maxPods=50'], 'ours'],
    ['the file was modified by hand', pods, [], 'theirs'],
    ['both', pods, ['kubelet.maxPods=50'], 'both'],
    ['an edit, and another file that is outdated', pods, ['sandboxImage=a.example/b:1'], 'theirs'],
  ]
  for (const [name, folder, sets, owner] of rows) {
    const { drift, exit } = await ask(profile, folder, ...sets.flatMap((set) => ['--set', set]))
    t.equal(exit, 4, name)
    const found = drift.filter(({ subject }) => subject === 'files/kubelet/config.json#maxPods')
    t.strictSame(
      found.map((one) => one.owner),
      [owner],
      name,
    )
  }
})

t.test('whose change it is, in words', async (t) => {
  const sets = ['cluster.windowsExporter.enabled=true', 'kubelet.config={ podsPerCore: 10 }']
  const more = sets.flatMap((set) => ['--set', set])
  const fuller = path.join(scratch, 'fuller')
  await inProcess(['render', profile, '--out', fuller, ...more])
  const [config, manifest] = ['files/kubelet/config.json', 'cluster/50-windows-exporter.yaml']
  const edited = copyOf({
    [config]: swap('"maxPods"', '"podsPerCore": 9, "maxPods"'),
    'README.md': swap('#', '##'),
  })
  const fullerEdited = path.join(scratch, 'fuller-edited')
  cpSync(fuller, fullerEdited, { recursive: true })
  appendFileSync(path.join(fullerEdited, manifest), '# by hand\n')
  const text = readFileSync(path.join(fuller, config), 'utf8')
  writeFileSync(
    path.join(fullerEdited, config),
    text.replace('"podsPerCore": 10', '"podsPerCore": 9'),
  )
  const [again, force] = ['Render it again.', 'Render it again with --force']
  const orAdd = `${force}, or add the change to the profile.`
  const orSet = `${force}, or set kubelet.config.podsPerCore to this value.`
  const rows: readonly (readonly [folder: string, argv: readonly string[], told: object])[] = [
    [
      rendered,
      more,
      {
        'README.md': `file-outdated: README.md is outdated: the profile or winnode changed. ${again}`,
        [manifest]: `file-outdated: ${manifest} is missing; the profile adds it. ${again}`,
        [`${config}#podsPerCore`]: `field-outdated: podsPerCore: missing, expected 10. ${again}`,
      },
    ],
    [
      fuller,
      [],
      {
        [manifest]: `file-outdated: ${manifest} is no longer part of the bundle. ${again}`,
        [`${config}#podsPerCore`]: `field-outdated: podsPerCore: is 10, the profile no longer sets it. ${again}`,
      },
    ],
    [
      edited,
      [],
      {
        'README.md': `file-edited: README.md was modified by hand. ${orAdd}`,
        [`${config}#podsPerCore`]: `field-edited: podsPerCore: is 9, it was not rendered. ${orSet}`,
      },
    ],
    [
      edited,
      more,
      {
        'README.md': `file-edited: README.md was modified by hand, and the profile changed too. ${orAdd}`,
        [`${config}#podsPerCore`]: `field-edited: podsPerCore: is 9, expected 10; also modified by hand. ${orSet}`,
      },
    ],
    [
      fullerEdited,
      [],
      {
        [manifest]: `file-edited: ${manifest} is no longer part of the bundle, and was modified by hand. Check its content, and remove it.`,
        [`${config}#podsPerCore`]: `field-edited: podsPerCore: is 9, the profile does not set it; also modified by hand. ${orSet}`,
      },
    ],
  ]
  for (const [folder, argv, told] of rows) {
    const { drift } = await ask(profile, folder, ...argv)
    const said = Object.fromEntries(
      drift.map(({ id, subject, message, remedy }) => [subject, `${id}: ${message}. ${remedy}`]),
    )
    t.match(said, told, `${path.basename(folder)} ${argv.length > 0 ? 'with' : 'without'} more`)
  }
})

t.test('a newer kubelet is reported once for each download', async (t) => {
  const { drift } = await ask(profile, rendered, '--set', 'kubernetes.version=1.34')
  const subjects = drift.map(({ subject }) => subject)
  t.ok(subjects.includes('node.json#steps.download-kubelet.url'))
  t.notMatch(
    subjects.join('\n'),
    /checksum|sha256|bom\.json#/,
    'differences that follow from it are not reported',
  )
  t.strictSame([...new Set(drift.map(({ owner }) => owner))], ['ours'])
  const errors = drift.filter(({ severity }) => severity === 'error')
  t.strictSame(errors, [], 'the profile contains the new values')
})

t.test('the field, where a file was modified and is outdated', async (t) => {
  const config = 'files/kubelet/config.json'
  const more = ['--set', 'kubelet.maxPods=50', '--set', 'kubelet.config={podPidsLimit: 9}']
  const follows = ['maxPods', 'podPidsLimit', 'kubeReserved.memory']
  const of = (owner: string) => Object.fromEntries(follows.map((name) => [name, owner]))
  const [ours, both] = [of('ours'), of('both')]
  const toml = 'files/containerd/config.toml'
  const rows: readonly [
    name: string,
    file: string,
    edit: (text: string) => string,
    owners: object,
  ][] = [
    [
      'another field',
      config,
      swap('"cluster.local"', '"example.com"'),
      { clusterDomain: 'theirs', ...ours },
    ],
    [
      'a field more, and line ends of Windows',
      config,
      (text) => text.replace('{', '{\n  "podsPerCore": 4,').replaceAll('\n', '\r\n'),
      { podsPerCore: 'theirs', ...ours },
    ],
    [
      'a field less',
      config,
      swap(/ *"clusterDomain": .*\n/, ''),
      { clusterDomain: 'theirs', ...ours },
    ],
    ['the same field, too', config, swap('"maxPods": 110', '"maxPods": 60'), both],
    [
      'no line of it is as it was',
      config,
      (text) => JSON.stringify(JSON.parse(text), null, 1).replace('110', '60'),
      both,
    ],
    [
      'a line of TOML',
      toml,
      swap(/^root = .*$/m, 'root = "D:/x"'),
      { root: 'theirs', 'plugins."io.containerd.cri.v1.images".pinned_images.sandbox': 'ours' },
    ],
  ]
  for (const [name, file, edit, owners] of rows) {
    const sets = file === toml ? ['--set', 'sandboxImage=a.example/b:1'] : more
    const { drift } = await ask(profile, copyOf({ [file]: edit }), ...sets)
    const found = drift.filter(({ subject }) => subject.startsWith(`${file}#`))
    t.strictSame(
      Object.fromEntries(
        found.map(({ subject, owner }) => [subject.slice(file.length + 1), owner]),
      ),
      owners,
      name,
    )
  }
})

/** Edits that change nothing for the program that reads the file. */
const equal: readonly [name: string, file: string, edit: (text: string) => string][] = [
  ['other line ends', 'files/kubelet/config.json', (text) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', 'files/kubelet/config.json', (text) => `\ufeff${text}`],
  [
    'another order of keys',
    'files/kubelet/config.json',
    (text) =>
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse())),
  ],
  ['the same amount', 'files/kubelet/config.json', swap('"2048Mi"', '"2Gi"')],
  ['the same amount of processors', 'files/kubelet/config.json', swap('"200m"', '"0.2"')],
  [
    'the same path',
    'files/kubelet/config.json',
    swap('C:\\\\etc\\\\kubernetes', '/ETC/kubernetes'),
  ],
  ['other comments', 'files/containerd/config.toml', (text) => text.replace(/^#.*\n/gm, '')],
  ['other quotes', 'files/containerd/config.toml', swap('"windows"', "'windows'")],
  ['a comment in a manifest', 'cluster/30-runtime-class.yaml', (text) => `# ours\n${text}`],
  ['line ends of a script', 'Install-WinNode.ps1', (text) => text.replaceAll('\n', '\r\n')],
  ['line ends of node.json', 'node.json', (text) => text.replaceAll('\n', '\r\n')],
]

t.test('what means the same is no drift', async (t) => {
  for (const [name, file, edit] of equal) {
    const { exit, drift } = await ask(profile, copyOf({ [file]: edit }))
    t.equal(exit, 0, name)
    t.strictSame(
      drift.map(({ id, subject }) => `${id} ${subject}`),
      [`file-rewritten ${file}`],
      name,
    )
    const message =
      /^\S+ was modified, with the same settings; Install-WinNode\.ps1 refuses the bundle$/
    const remedy = 'Render it again with --force.'
    t.match(drift[0], { severity: 'warning', message, remedy }, name)
  }
  const every = (amount: string) => ['--set', `kubelet.config={syncFrequency: ${amount}}`]
  const folder = path.join(scratch, 'written-so')
  await inProcess(['render', profile, '--out', folder, ...every('90s')])
  const [own] = (await ask(profile, folder, ...every('1m30s'))).drift
  t.match(own, {
    id: 'file-rewritten',
    severity: 'info',
    owner: 'ours',
    remedy: /^Render it again\.$/,
  })
})

/** Edits of other kinds, and what is said of each. */
const edits: readonly [name: string, file: string, edit: (text: string) => string, told: string][] =
  [
    [
      'a key that stands twice',
      'files/kubelet/config.json',
      swap('"maxPods": 110,', '"maxPods": 110, "maxPods": 60,'),
      'file-broken files/kubelet/config.json',
    ],
    [
      'a file that is no JSON',
      'files/kubelet/config.json',
      swap('{', '{{'),
      'file-broken files/kubelet/config.json',
    ],
    [
      'a file that is no TOML',
      'files/containerd/config.toml',
      swap('version = 4', 'version = '),
      'file-broken files/containerd/config.toml',
    ],
    ['a program', 'WinNode.psm1', (text) => `${text}# mine\n`, 'file-edited WinNode.psm1'],
    ['a page', 'README.md', (text) => `${text}mine\n`, 'file-edited README.md'],
    [
      'a second document',
      'cluster/10-kube-proxy.yaml',
      swap(/system:node-proxier/, 'cluster-admin'),
      'field-edited cluster/10-kube-proxy.yaml#"ClusterRoleBinding winnode-kube-proxy".roleRef.name',
    ],
    [
      'a step',
      'node.json',
      swap('"id": "power-plan"', '"id": "plan"'),
      'field-edited node.json#steps.plan field-edited node.json#steps.power-plan',
    ],
    [
      'the digest of a file',
      'node.json',
      (text) => text.replace(/("path": "files\/kubelet\/config.json",\s*"sha256": ")./, '$1x'),
      'field-edited node.json#files."files/kubelet/config.json".sha256',
    ],
    [
      'the seal',
      'node.json',
      (text) => text.replace(/("sha256": ")./, '$1x'),
      'field-edited node.json#sha256',
    ],
  ]

t.test('edits of all kinds', async (t) => {
  for (const [name, file, edit, told] of edits) {
    const { exit, drift } = await ask(profile, copyOf({ [file]: edit }))
    t.equal(exit, 4, name)
    t.equal(
      drift
        .map(({ id, subject }) => `${id} ${subject}`)
        .sort()
        .join(' '),
      told,
      name,
    )
  }
})

t.test('a file that is gone', async (t) => {
  const folder = copyOf()
  rmSync(path.join(folder, 'files/containerd/config.toml'))
  const { exit, drift } = await ask(profile, folder)
  t.equal(exit, 4)
  t.match(drift, [{ id: 'file-missing', severity: 'error', owner: 'theirs' }])
})

t.test('words after the name of a token are no secret', async (t) => {
  const folder = copyOf({
    'files/kubeadm/join.json': swap('"tlsBootstrapToken": ', '"tlsBootstrapTokens": '),
  })
  const { stdout } = await inProcess(['drift', profile, folder])
  t.match(stdout, /discovery\.tlsBootstrapToken: missing, expected/)
})

t.test('no secret is printed', async (t) => {
  const token = 'abcdef.0123456789abcdef'
  const folder = copyOf({
    'files/kubeadm/join.json': swap('"apiVersion"', `"token": "${token}", "apiVersion"`),
  })
  for (const format of ['pretty', 'lines', 'json']) {
    const { stdout, code } = await inProcess(['drift', profile, folder, '--format', format])
    t.equal(code, 4)
    t.match(stdout, /token/)
    t.notMatch(stdout, token, format)
  }
})

t.test('a cluster that cannot be read leaves the bundle in the document for CI', async (t) => {
  const folder = copyOf({
    'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60'),
    'README.md': swap('#', '##'),
  })
  const argv = ['drift', profile, folder, '--kubeconfig', 'nowhere']
  const baseline = path.join(scratch, 'read-me.json')
  const accepted = ['README.md', 'gone'].map((subject) => {
    return { id: 'file-edited', subject, messages: ['README.md was modified by hand'] }
  })
  writeFileSync(baseline, JSON.stringify({ kind: 'DriftBaseline', accepted }))
  for (const format of ['github', 'markdown', 'junit', 'sarif']) {
    const found = await inProcess([...argv, '--format', format, '--baseline', baseline])
    t.match(found, { code: 2, stderr: /nowhere: no such/ }, format)
    t.match(found.stdout, /maxPods: is 60, expected 110/, format)
    t.match(found.stdout, /cluster could not be read: /, format)
    t.notMatch(found.stdout, /^::warning .*README/m, 'accepted by the baseline')
    t.notMatch(found.stderr, /no longer differs/, 'which only the whole comparison knows')
  }
  const written = path.join(scratch, 'unread.json')
  const all = [...argv, '--format', 'junit', '--write-baseline', written]
  t.match(await inProcess(all), { code: 2, stdout: /maxPods: is 60/ })
  t.notOk(existsSync(written), 'a baseline without the cluster')
})

t.test('in JUnit, a bundle with differences is no passed case, however it is typed', (t) => {
  const edited = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const [cwd, name] = [path.dirname(edited), path.basename(edited)]
  cpSync(rendered, `${edited}0`, { recursive: true })
  const passed = (...folders: readonly string[]) => {
    const { stdout } = spawned(['drift', profile, ...folders, '--format', 'junit'], { cwd })
    return [...stdout.matchAll(/ name="([^"]*)" time="0"\/>/g)].map((one) => one[1])
  }
  t.strictSame(passed(`./${name}`), [])
  t.strictSame(passed(`${name}/`), [])
  t.strictSame(passed(`${name}0`, name), [`${name}0`])
  t.strictSame(passed(name, `./${name}0`), [`${name}0`])
  t.end()
})

t.test('fields of a file that were modified by hand have one fix', async (t) => {
  const folder = copyOf({
    'files/kubelet/config.json': (text) =>
      text.replace('110', '60').replace('"500Mi"', '"600Mi"').replace('"10%"', '"12%"'),
  })
  const { stdout } = await inProcess(['drift', profile, folder])
  t.match(stdout, /config\.json, 3 fields\n/)
  t.strictSame(stdout.match(/^ +fix: .*/gm), ['  fix: Render it again with --force.'])
})

t.test('long values are shortened', async (t) => {
  const long = 'k'.repeat(50_000)
  const folder = copyOf({
    'files/kubelet/config.json': swap('"maxPods"', `"${long}": {"${long}": "${long}"}, "maxPods"`),
  })
  const baseline = path.join(scratch, 'long.json')
  const gone = { id: 'field-edited', subject: `a${long}`, messages: [] }
  writeFileSync(baseline, JSON.stringify({ kind: 'DriftBaseline', accepted: [gone] }))
  const formats = ['pretty', 'lines', 'github', 'markdown', 'junit', 'sarif']
  for (const format of formats) {
    const argv = ['drift', profile, folder, '--format', format, '--baseline', baseline]
    const { stdout, stderr, code } = await inProcess(argv)
    t.equal(code, 4)
    t.ok(stdout.length < 10_000, `${format}: ${stdout.length} characters`)
    t.ok(stderr.length < 1000, `${format}: ${stderr.length} characters of talk`)
    t.match(stdout, /characters more/, format)
  }
  const { stdout } = await inProcess(['drift', profile, folder, '--format', 'html'])
  t.ok(stdout.length < 200_000, 'a value is data')
})

t.test('of two long values, the part that differs is printed', async (t) => {
  const folder = copyOf({
    'cluster/kustomization.yaml': swap(
      '  - "30-runtime-class.yaml"',
      '  - "30-runtime-class.yaml"\n  - "40-other.yaml"',
    ),
  })
  const { drift } = await ask(profile, folder)
  t.strictSame(
    drift.map(({ message }) => message),
    [
      'resources: is …,"30-runtime-class.yaml","40-other.yaml"], expected …,"30-runtime-class.yaml"]',
    ],
  )
})

t.test('the way back names --force where render needs it', async (t) => {
  const edited = copyOf({ 'README.md': (text) => `${text}by hand\n` })
  const node = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 90') })
  const outdated = ['--set', 'kubelet.verbosity=4']
  const fixOf = async (...argv: readonly string[]) =>
    /^to fix: (.*)$/m.exec((await inProcess(['drift', profile, ...argv])).stdout)?.[1]
  t.match(await fixOf(rendered, ...outdated), /^render the bundle again, then Install-WinNode/)
  t.match(await fixOf(edited), /^Render it again with --force/)
  for (const argv of [[node], [node, ...outdated], [edited, ...outdated]])
    t.match(await fixOf(...argv), /^render the bundle again with --force, then Install-WinNode/)
})

t.test('a folder in the place of a file cannot be read', async (t) => {
  const folder = copyOf({})
  const file = path.join(folder, 'files/kubelet/config.json')
  rmSync(file)
  mkdirSync(file)
  const { drift } = await ask(profile, folder)
  t.strictSame(
    drift.map(({ id, message }) => [id, message]),
    [['evidence-unreadable', `${file} could not be read: it is a folder`]],
  )
})

t.test('nothing is reported of a value that could not be read', async (t) => {
  const lone = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 1e999') })
  const { drift } = await ask(profile, lone)
  t.strictSame(
    drift.map(({ id, message }) => [id, message]),
    [['file-broken', 'files/kubelet/config.json: the number 1e999 cannot be represented exactly']],
  )
  const many = copyOf({
    'files/kubelet/config.json': swap(
      '"maxPods": 110',
      `"maxPods": 110, "x": [${'1, '.repeat(1200)} 1], "z": 1`,
    ),
  })
  const found = (await ask(profile, many)).drift.map(({ id, subject }) => `${id} ${subject}`)
  t.strictSame(found, [
    'file-broken files/kubelet/config.json#x',
    'field-edited files/kubelet/config.json#z',
  ])
  // One of several documents cannot be read; the others can.
  const yaml = copyOf({ 'cluster/20-flannel.yaml': swap(/\nkind: ClusterRole\n/, '\nkind: [\n') })
  const told = (await ask(profile, yaml)).drift.map(({ id }) => id)
  t.strictSame([...new Set(told)], ['file-broken'])
})

t.test('of many documents the first ones are read', async (t) => {
  const more = (count: number) => (text: string) => text + '---\nkind: K\n'.repeat(count)
  const few = await ask(profile, copyOf({ 'cluster/20-flannel.yaml': more(2) }))
  const file = few.drift[0]?.place.file ?? ''
  const lines = readFileSync(file, 'utf8').split('\n').length
  t.strictSame(
    few.drift.map(({ place }) => place.line),
    [lines - 3, lines - 1],
    'each on its line of the whole',
  )
  const { drift } = await ask(profile, copyOf({ 'cluster/20-flannel.yaml': more(5000) }))
  t.match(drift, [{ id: 'file-broken', message: /the file has more than 1000 documents$/ }])
  t.equal(drift.length, 1)
})

t.test('--explain prints the purpose of a flag of a service', async (t) => {
  const folder = copyOf({ 'node.json': swap('"--v=2"', '"--v=9"') })
  const { stdout } = await inProcess(['drift', profile, folder, '--explain'])
  t.match(stdout, /why: How much it logs\./)
})

t.test('no secret of a line that cannot be read is printed', async (t) => {
  const token = 'abcdef.0123456789abcdef'
  const folder = copyOf({
    'files/kubeadm/join.json': swap('"apiVersion"', `"token": "${token}" "apiVersion"`),
    'files/containerd/config.toml': (text) => `${text}\npassword = "hunter2secret" x\n`,
  })
  for (const format of ['pretty', 'lines', 'json', 'markdown', 'html']) {
    const { stdout } = await inProcess(['drift', profile, folder, '--format', format])
    t.match(stdout, /file-broken/, format)
    t.notMatch(stdout, /abcdef\.0123456789abcdef|hunter2secret/, format)
  }
})

t.test('missing evidence', async (t) => {
  const rows: readonly [argv: readonly string[], code: number, says: RegExp][] = [
    [[profile], 2, /missing argument: a bundle/],
    [[profile, path.join(scratch, 'nowhere')], 2, /nowhere: no such file or directory/],
    [['ws2022-antrea', rendered], 3, /nothing compared/],
    [[profile, '-', rendered, '-'], 2, /standard input is named twice/],
  ]
  for (const [argv, code, says] of rows) {
    const outcome = await inProcess(['drift', ...argv])
    t.equal(outcome.code, code)
    t.match(outcome.stderr, says)
  }
})

t.test('trees are compared by meaning', async (t) => {
  const kubelet = shapeOfFile('files/kubelet/config.json')
  const plain = shapeOfFile('any.json')
  const rows: readonly [should: Json, was: Json, paths: readonly string[]][] = [
    [
      { evictionHard: { 'nodefs.available': '10%' } },
      { evictionHard: { 'nodefs.available': '10.0%' } },
      [],
    ],
    [{ kubeReserved: { cpu: '100m' } }, { kubeReserved: { cpu: '0.1' } }, []],
    [{ kubeReserved: { cpu: '100m' } }, { kubeReserved: { cpu: '200m' } }, ['kubeReserved.cpu']],
    [{ shutdownGracePeriod: '90s' }, { shutdownGracePeriod: '1m30s' }, []],
    [{ clusterDNS: ['a', 'b'] }, { clusterDNS: ['b', 'a'] }, ['clusterDNS.0', 'clusterDNS.1']],
    [{ tlsCipherSuites: ['a', 'b'] }, { tlsCipherSuites: ['b', 'a'] }, []],
    [{ tlsCipherSuites: ['a'] }, { tlsCipherSuites: ['a', 'a'] }, ['tlsCipherSuites.a (2)']],
    [{ maxPods: 110 }, { maxPods: '110' }, ['maxPods']],
  ]
  for (const [should, was, paths] of rows) {
    const leaves = compareTrees(should, was, kubelet)
    t.strictSame(
      leaves.map((leaf) => leaf.path.join('.')),
      paths,
      JSON.stringify(was),
    )
  }
  t.equal(compareTrees('1.30', '1.3', plain).length, 1, 'a version is no amount')
  t.equal(compareTrees('90s', '1m30s', plain).length, 1, 'nor is every text a duration')
})

t.test('a baseline excludes its findings, and nothing else', async (t) => {
  const folder = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const until = (day: string) => `ignore={field-edited: {reason: agreed, until: ${day}}}`
  const rows: readonly [name: string, set: string, exit: number][] = [
    ['the kind', 'ignore={field-edited: {reason: agreed}}', 0],
    ['the field', 'ignore={"files/kubelet/config.json#maxPods": {reason: agreed}}', 0],
    ['the file', 'ignore={files/kubelet/config.json: {reason: agreed}}', 0],
    ['another field', 'ignore={"files/kubelet/config.json#max": {reason: agreed}}', 4],
    ['until a day to come', until('2099-01-01'), 0],
    ['until a day that is over', until('2020-01-01'), 4],
  ]
  for (const [name, set, exit] of rows) {
    const answer = await ask(profile, folder, '--set', set)
    t.equal(answer.exit, exit, name)
    const { stdout } = await inProcess(['validate', profile, '--set', set, '--format', 'lines'])
    t.notMatch(stdout, /ignored-rule-unknown/, `${name} may stand in a profile`)
  }
  const named = async (kind: string) => {
    const set = `ignore={${kind}: {reason: agreed}}`
    return (await inProcess(['validate', profile, '--set', set, '--format', 'lines'])).stdout
  }
  for (const note of ['node-twice', 'linux-side-unknown'])
    t.notMatch(await named(note), /ignored-rule-unknown/, `${note} is a note, which drift accepts`)
  t.match(await named('file-missing'), /ignored-rule-unknown/, 'an error, which drift does not')
  const said = (set: string) =>
    inProcess(['drift', profile, folder, '--verbose', '--set', set, '--as-of', '2030-01-01'])
  const open = await said(until('2030-01-01'))
  t.match(
    open.stdout,
    /^ignored\[field-edited\] maxPods: is 60, expected 110 \(agreed\)\n\n1 ignored\n/,
  )
  t.equal(open.stderr, '')
  const over = await said(until('2029-12-31'))
  t.match(over.stderr, /^ignoring field-edited expired on 2029-12-31\n/)
  const page = { 'README.md': (text: string) => `${text}mine\n` }
  const two = copyOf({
    ...page,
    'files/kubelet/config.json': swap('maxPods": 110', 'maxPods": 60'),
  })
  const one = ['--set', until('2020-01-01')]
  t.match(
    (await inProcess(['drift', profile, two, ...one])).stderr,
    /^ignoring field-edited expired/,
  )
  const other = 'ignore={label-differs: {reason: agreed, until: 2029-12-31}}'
  t.equal((await said(other)).stderr, '', 'of what differs not, nothing')
  const broken = copyOf({ 'WinNode.psm1': (text) => `${text}# mine\n` })
  const set = 'ignore={file-edited: {reason: agreed}}'
  t.equal((await ask(profile, broken, '--set', set)).exit, 4, 'errors stay')
})

t.test('a baseline accepts what differed when it was written', async (t) => {
  const pods = (count: number) =>
    copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', `"maxPods": ${count}`) })
  const baseline = path.join(scratch, 'baseline.json')
  const folder = pods(60)
  t.equal((await ask(profile, folder, '--write-baseline', baseline)).exit, 0)
  t.equal((await ask(profile, folder, '--baseline', baseline)).exit, 0)
  t.equal((await ask(profile, pods(61), '--baseline', baseline)).exit, 4, 'another value')
  const { stderr } = await inProcess(['drift', profile, rendered, '--baseline', baseline])
  t.match(stderr, /maxPods \(field-edited\) no longer differs/)
  t.equal((await inProcess(['drift', profile, folder, '--baseline', 'nowhere'])).code, 2)
  t.match(await inProcess(['drift', profile, folder, '--baseline', 'package.json']), {
    code: 2,
    stderr: /^error: package\.json is no baseline\n/,
  })
})

t.test('--write-baseline replaces a baseline only', async (t) => {
  const posix = process.platform !== 'win32'
  const home = t.testdir({ 'node.yaml': 'mine', 'empty.json': '', 'cut.json': '{"kind":', sub: {} })
  const at = (name: string) => path.join(home, name)
  const write = (name: string, ...more: readonly string[]) =>
    inProcess(['drift', profile, rendered, '--write-baseline', name, ...more])
  for (const name of ['node.yaml', 'empty.json', 'cut.json']) {
    const text = readFileSync(at(name), 'utf8')
    const { code, stdout, stderr } = await write(at(name))
    t.equal(code, 5, name)
    t.equal(stdout, '', 'nothing was compared')
    t.match(stderr, /^error: .* is not a baseline; nothing was written\n {2}use --force/)
    t.equal(readFileSync(at(name), 'utf8'), text)
  }
  t.equal((await write(at('new.json'))).code, 0)
  chmodSync(at('new.json'), 0o640)
  t.equal((await write(at('new.json'), '--set', 'kubelet.maxPods=50')).code, 0, 'a baseline')
  t.match(readFileSync(at('new.json'), 'utf8'), /is 110/)
  t.equal((await write(at('node.yaml'), '--force')).code, 0)
  t.match(readFileSync(at('node.yaml'), 'utf8'), /DriftBaseline/)
  const refused: readonly [name: string, why: RegExp][] = [
    ['-', /--write-baseline takes the name of a file, not stdout\n {2}a file named -: \.\/-\n$/],
    [at('sub'), /sub is a folder\n {2}name a file in it: .*baseline\.json\n$/],
    [at('none/x.json'), /is in a folder that does not exist\n/],
    ['/dev/null', /is not a file\n/],
  ]
  for (const [name, why] of refused) {
    if (name.startsWith('/dev') && !posix) continue
    const { code, stdout, stderr } = await write(name, '--force')
    t.equal(code, 2, name)
    t.equal(stdout, '')
    t.match(stderr, why)
  }
  t.match(await inProcess(['drift', profile, rendered, '--force']), { code: 2 }, 'alone')
  const long = at('n'.repeat(250))
  t.equal((await write(long)).code, 0)
  t.match(await write(long), {
    code: 1,
    stderr: /^error: cannot write [^]*: the name is too long; /,
  })
  rmSync(long)
  if (!posix) return
  t.equal(statSync(at('new.json')).mode & 0o777, 0o640, 'with the mode that it had')
  symlinkSync('new.json', at('link.json'))
  symlinkSync('cut.json', at('away.json'))
  t.equal((await write(at('link.json'))).code, 0, 'a link to a baseline')
  t.ok(lstatSync(at('link.json')).isSymbolicLink())
  t.notMatch(readFileSync(at('new.json'), 'utf8'), /is 110/)
  const away = await write(at('away.json'), '--force')
  t.match(away, { code: 5, stderr: /is a link to .*cut\.json, which is not a baseline/ })
  t.equal(readFileSync(at('cut.json'), 'utf8'), '{"kind":')
  t.strictSame(
    readdirSync(home).sort(),
    ['away.json', 'cut.json', 'empty.json', 'link.json', 'new.json', 'node.yaml', 'sub'],
    'nothing is left behind',
  )
})

t.test('nothing outside of the bundle is read', async (t) => {
  const outside = path.join(scratch, 'outside.txt')
  writeFileSync(outside, 'secret')
  const known = digestOf('secret')
  const forms = [
    '../outside.txt',
    'files/../../outside.txt',
    './../outside.txt',
    'files//../../outside.txt',
    outside,
    '..\\outside.txt',
  ]
  for (const form of forms)
    for (const digest of [known, '0'.repeat(64)]) {
      const entry = `{"path": ${JSON.stringify(form)}, "sha256": "${digest}"}`
      const folder = copyOf({ 'node.json': swap('"files": [', `"files": [\n${entry},`) })
      const { drift } = await ask(profile, folder)
      const about = drift.filter(({ subject }) => !subject.startsWith('node.json'))
      t.strictSame(about, [], `${form}, ${digest.slice(0, 4)}`)
    }
})

t.test(
  'no folder of the bundle leads out of it',
  { skip: process.platform === 'win32' && 'links' },
  async (t) => {
    const [folder, moved] = [copyOf(), path.join(scratch, 'moved')]
    renameSync(path.join(folder, 'files/kubelet'), moved)
    symlinkSync(moved, path.join(folder, 'files/kubelet'))
    t.match(await ask(profile, folder), {
      exit: 6,
      drift: [
        { subject: /files.kubelet.config\.json$/, message: /a link leads out of the bundle$/ },
      ],
    })
    rmSync(path.join(folder, 'files/kubelet'))
    renameSync(moved, path.join(folder, 'files/aside'))
    symlinkSync('aside', path.join(folder, 'files/kubelet'))
    t.match(await ask(profile, folder), { exit: 0, drift: [] }, 'a link within it')
  },
)
