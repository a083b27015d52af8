// winnode upgrade: the steps of each profile to each version, what a step changes, and what it writes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import type { CheckInput } from '../../src/check.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { judgeSkew, kubeletWithApiServer, skipsMinors } from '../../src/matrix/skew.ts'
import { tablesDate } from '../../src/matrix/tables-date.ts'
import { minorOf } from '../../src/matrix/version.ts'
import { hasErrors } from '../../src/model/finding.ts'
import { planTogether, planUpgrade } from '../../src/upgrade/plan-upgrade.ts'
import { newestMinor, newestPatch } from '../tools/minors.ts'
import { inProcess, root } from '../tools/run.ts'

const sets = ['join.endpoint=api.example.com:6443', `join.caCertHashes=[sha256:${'a'.repeat(64)}]`]

function inputOf(profile: string, more: readonly string[]): CheckInput {
  const { layers, name } = loadProfile({ profile, sets: [...sets, ...more], root, cwd: root })
  return [layers, name, { today: tablesDate }]
}

function planned(profile: string, more: readonly string[], target: string, acceptUntested = false) {
  return planUpgrade(inputOf(profile, more), { target, acceptUntested })
}

const patches = kubernetesMinors.map((row) => row.newestPatch)
const profiles = ['ws2019-flannel-overlay', 'ws2022-antrea', 'ws2022-calico', 'ws2022-win-bridge']

for (const profile of profiles)
  t.test(`${profile}: every step from every minor`, async (t) => {
    const target = patches.at(-1) ?? ''
    for (const from of patches.slice(0, -1)) {
      const { hops, refused } = planned(profile, [`kubernetes.version=${from}`], target)
      let [nodes, server] = [from, from]
      for (const { to, controlPlane, after } of hops) {
        for (const next of controlPlane) {
          t.notOk(skipsMinors(server, next), `${from}: the control plane, ${server} to ${next}`)
          t.not(judgeSkew(kubeletWithApiServer, nodes, next), 'older', `${nodes} with ${next}`)
          server = next
        }
        t.not(judgeSkew(kubeletWithApiServer, to, server), 'newer', `${to} with ${server}`)
        t.notOk(hasErrors(after.findings), `${from}: no rule refuses ${to}`)
        t.equal(after.facts.spec.kubernetes.version, to)
        nodes = to
      }
      t.equal(nodes === target, refused === undefined, `${from}: the target, or a reason`)
      if (refused) t.ok(refused.findings.length > 0)
    }
  })

t.test('an untested combination ends the plan, unless it is accepted', async (t) => {
  const from = ['kubernetes.version=1.33']
  const target = patches.at(-1) ?? ''
  const plan = planned('ws2022-calico', from, target)
  t.match(plan.hops.at(-1)?.to, /^1\.35\./)
  t.match(plan.refused?.findings, [{ id: 'calico-untested-with-kubernetes' }])
  const { hops } = planned('ws2022-calico', from, target, true)
  t.equal(hops.at(-1)?.to, target)
  t.match(hops.at(-1)?.accepted, [{ id: 'calico-untested-with-kubernetes' }])
  const { stdout } = await inProcess([
    ...['upgrade', 'ws2019-flannel-overlay', '--set', 'kubernetes.version=1.34'],
    ...['--to', '1.36', '--accept-untested', '--as-of', tablesDate],
  ])
  t.equal(stdout.match(/^warning\[windows-release-unlisted\] /gm)?.length, 1, 'said, if accepted')
  const newest = plan.hops.at(-1)?.to ?? ''
  const older = newest.replace(/\d+$/, '0')
  const [only, ...more] = planned('ws2022-calico', [`kubernetes.version=${older}`], target).hops
  t.strictSame([only?.to, more], [newest, []], 'at least to the newest patch of the minor')
})

t.test('Windows Server 2019 ends at the last minor that lists it', async (t) => {
  const target = patches.at(-1) ?? ''
  const from = ['kubernetes.version=1.29']
  const plan = planned('ws2019-flannel-overlay', from, target)
  t.match(plan.hops.at(-1)?.to, /^1\.34\./)
  t.match(plan.refused, {
    to: /^1\.35\./,
    findings: [
      {
        id: 'windows-release-unlisted',
        remedy: /^Use machines with Windows Server 2022 or Windows Server 2025,/,
      },
    ],
  })
  t.equal(planned('ws2019-flannel-overlay', from, target, true).hops.at(-1)?.to, target)
  const accepted = ['ignore.windows-release-unlisted.reason=Tested here.', ...from]
  t.equal(planned('ws2019-flannel-overlay', accepted, target).hops.at(-1)?.to, target)
  const beyond = planned('ws2019-flannel-overlay', ['kubernetes.version=1.35.1'], target)
  t.match(beyond.hops, [{ to: /^1\.35\./ }], 'beyond it already: to its newest patch')
  t.equal(beyond.hops.length, 1)
  t.match(beyond.refused?.findings, [{ id: 'windows-release-unlisted' }])
  const wrong = ['network.mode=overlay', 'kubernetes.version=1.33.1']
  t.match(
    planned('ws2022-antrea', wrong, target).refused,
    { to: /^1\.34\./ },
    'what refuses each version is said of the next minor, not of a patch',
  )
})

t.test('what the profile pins moves only where a rule asks for it', async (t) => {
  const pinned = (more: readonly string[], target: string) =>
    planned('ws2022-flannel-overlay', more, target).hops.map(({ change }) => change)
  t.match(pinned(['kubernetes.version=1.33.2', 'containerd.version=1.7'], '1.35.10'), [
    { kubernetes: { version: '1.35.10' }, containerd: undefined },
  ])
  t.match(
    pinned(['kubernetes.version=1.33', 'containerd.version=1.6.39'], '1.36.6').at(-1),
    { kubernetes: { version: '1.36' }, containerd: { version: /^2\.\d+\.\d+$/ } },
    'as the profile writes its versions',
  )
  t.strictSame(
    pinned(
      ['kubernetes.version=1.34', 'kubernetes.apiServer=1.35', 'kubernetes.kubeProxy=1.34'],
      '1.36.6',
    ),
    [{ kubernetes: { apiServer: '1.36', version: '1.36', kubeProxy: '1.36' } }],
  )
  t.strictSame(
    pinned(['kubernetes.version=1.34', 'kubernetes.apiServer=1.35'], '1.35.10'),
    [{ kubernetes: { version: '1.35' } }],
    'a control plane that is new enough',
  )
  for (const repository of ['registry.k8s.io/pause', 'mcr.microsoft.com/oss/kubernetes/pause'])
    t.strictSame(
      ['3.4.1', '3.9'].map((tag) =>
        pinned(['kubernetes.version=1.34', `sandboxImage=${repository}:${tag}`], '1.35.10'),
      ),
      [
        [{ kubernetes: { version: '1.35' }, sandboxImage: `${repository}:3.6` }],
        [{ kubernetes: { version: '1.35' } }],
      ],
      'a sandbox image that lacks the Windows release, to another tag',
    )
  const oldKubeadm = ['kubernetes.kubeadm=1.34', 'kubernetes.apiServer=1.36']
  t.strictSame(
    pinned(['kubernetes.version=1.34', ...oldKubeadm], '1.35.10'),
    [{ kubernetes: { kubeadm: '1.36', version: '1.35' } }],
    'a kubeadm that would be older than the kubelet',
  )
  t.match(
    planned(
      'ws2022-flannel-overlay',
      ['kubernetes.version=1.28', 'kubernetes.apiServer=1.33'],
      '1.35.10',
    ).hops.map(({ to }) => to),
    [/^1\.33\./, /^1\.35\./],
    'nodes that are too old already go as far as the control plane is',
  )
  t.strictSame(
    planned('ws2022-flannel-overlay', ['kubernetes.version=1.34.1'], '1.34.2').hops.map(
      ({ to, controlPlane }) => ({ to, controlPlane }),
    ),
    [{ to: '1.34.2', controlPlane: ['1.34.2'] }],
    'a patch',
  )
})

const profile = `# my pool
apiVersion: winnode/v1
kind: NodeProfile
extends: ws2022-flannel-overlay
kubernetes:
  version: '1.33' # keep me
join:
  endpoint: api.example.com:6443
  caCertHashes: [sha256:${'a'.repeat(64)}]
`

t.test('containerd upgrades to the next line, or from an LTS line to the next one', async (t) => {
  const way = (containerd: string, from: string, to: string) => {
    const more = [`kubernetes.version=${from}`, `containerd.version=${containerd}`]
    const { before, hops, refused } = planned('ws2022-flannel-overlay', more, to)
    const versions = [before, ...hops.map(({ after }) => after)].map(({ facts: { spec } }) =>
      [spec.kubernetes.version, spec.containerd.version].map(minorOf).join(' with '),
    )
    return { versions, refused }
  }
  const rows: readonly (readonly [containerd: string, ...versions: string[]])[] = [
    ['1.7', '1.35 with 1.7', '1.36 with 2.3'],
    ['2.2', '1.36 with 2.2', '1.37 with 2.3'],
    ['2.1', '1.34 with 2.1', '1.36 with 2.2', '1.37 with 2.3'],
    ['2.0', '1.34 with 2.0', '1.35 with 2.1', '1.36 with 2.2', '1.37 with 2.3'],
    ['1.6', '1.33 with 1.6', '1.35 with 1.7', '1.36 with 2.3'],
  ]
  for (const [containerd, ...versions] of rows) {
    const [from = '', to = ''] = [versions[0], versions.at(-1)].map((one) => one?.slice(0, 4))
    const target = patches.find((patch) => minorOf(patch) === to) ?? ''
    t.strictSame(way(containerd, from, target).versions, versions, containerd)
  }
  const { versions, refused } = way('2.0', '1.35', patches.at(-1) ?? '')
  t.strictSame(versions, ['1.35 with 2.0'])
  t.match(refused?.findings, [
    {
      id: 'containerd-untested-with-kubernetes',
      remedy:
        /^Set containerd\.version to 2\.1\.\d+ and upgrade the nodes first: containerd supports no direct upgrade from 2\.0 to a line after 2\.1\.$/,
    },
  ])
})

t.test('nodes that cannot be upgraded hold back other nodes', (t) => {
  const refused = inputOf('ws2022-antrea', ['network.mode=overlay', 'kubernetes.version=1.33'])
  const ahead = inputOf('ws2022-flannel-overlay', ['kubernetes.version=1.36'])
  const members = [
    { name: 'refused', profile: refused, group: 0 },
    { name: 'ahead', profile: ahead, group: 1 },
  ]
  const request = { target: patches.at(-1) ?? '', acceptUntested: false }
  t.match(planTogether(members, request), [
    { hops: [], refused: { to: /^1\./ } },
    { hops: [], refused: undefined, blockedBy: /^1\.33\./ },
  ])
  t.end()
})

t.test('the command', async (t) => {
  const file = path.join(t.testdir({ 'node.yaml': profile }), 'node.yaml')
  const upgrade = (...argv: readonly string[]) =>
    inProcess(['upgrade', file, '--as-of', tablesDate, ...argv])
  const { code, stdout, stderr } = await upgrade('--to', newestMinor)
  t.equal(code, 0, stderr)
  t.match(stdout, /^STEP 1 of 2: nodes to 1\.36\.\d+\n/)
  t.match(stdout, /\n- {2}version: '1\.33' # keep me\n\+ {2}version: '1\.36' # keep me\n/)
  t.match(stdout, /\n--- a\/[^/]\S+node\.yaml\n/, 'a name that git apply takes')
  t.match(stdout, /\nchanged files: README\.md, bom\.json, /)
  t.match(stdout, /kubeadm upgrade apply v1\.34\.\d+, then v1\.35\.\d+, then v1\.36\.\d+\n/)
  t.match(stdout, `\nSTEP 2 of 2: nodes to ${newestPatch}\n`)
  t.equal(readFileSync(file, 'utf8'), profile, 'writes nothing')
  t.match(await upgrade('--to', newestMinor, '--verbose'), {
    stdout: /\n--- a\/files\/containerd\/config\.toml\n[^]*\n\+sandbox = /,
  })

  t.match(await upgrade('--to', newestMinor, '--write'), {
    code: 0,
    stderr: /wrote .*node\.yaml\n$/,
  })
  t.equal(readFileSync(file, 'utf8'), profile.replace('1.33', '1.36'))
  t.match(JSON.parse((await upgrade('--latest', '--json')).stdout), {
    ok: true,
    from: /^1\.36\./,
    steps: [
      {
        to: newestPatch,
        change: { kubernetes: { version: newestMinor } },
        bundle: { need: 'install', changes: [{ path: 'README.md', change: 'replace' }] },
      },
    ],
    refused: null,
    written: false,
  })
  const facts = path.join(path.dirname(file), 'my facts.yaml')
  const { minor, ...row } = kubernetesMinors.at(-1) ?? {}
  const next = `1.${Number(minor?.split('.')[1]) + 1}`
  const header = 'apiVersion: winnode/v1\nkind: Facts\nwhy: none yet\n'
  const added = JSON.stringify([{ ...row, minor: next, newestPatch: `${next}.3` }])
  writeFileSync(facts, `${header}kubernetes: ${added}\n`)
  const newer = await upgrade('--latest', '--facts', facts, '--accept-untested', '--json')
  t.equal(JSON.parse(newer.stdout).to, `${next}.3`, 'a minor that only the facts have')
  writeFileSync(facts, header)
  const words = [
    '--accept-untested',
    '--allow-newer',
    '--facts',
    facts,
    '--root',
    path.dirname(file),
  ]
  const { stdout: typed } = await upgrade('--latest', ...words)
  t.match(
    typed,
    / --write --root \S+ --facts '.*my facts\.yaml' --as-of \S+ --accept-untested --allow-newer\n/,
  )
  t.match(
    typed,
    /winnode render \S+ --out \S+ --root \S+ --facts '.*my facts\.yaml' --as-of \S+ --allow-newer\n/,
  )
  t.match(await upgrade('--latest', '--write'), { code: 0 })
  t.match(await upgrade('--latest'), { code: 0, stdout: '', stderr: /: nothing to do\n$/ })
  t.match(await upgrade('--latest', '--set', 'kubelet.maxPod=1'), {
    code: 3,
    stderr: /nothing to do\n[^]*unknown-field/,
  })
  t.match(await upgrade('--to', '1.33'), { code: 2, stderr: /is newer than 1\.33\./ })
  const unknown = `${newestMinor}.99`
  const patched = ['version', 'apiServer'].flatMap((name) => [
    '--set',
    `kubernetes.${name}=${unknown}`,
  ])
  t.match(await upgrade('--latest', ...patched), { code: 0, stdout: '', stderr: /nothing to do/ })
  t.match(await upgrade('--to', newestMinor, ...patched), { code: 0, stdout: '' })
  t.match(await upgrade('--to', newestPatch, ...patched), {
    code: 2,
    stderr: `newer than ${newestPatch}`,
  })
  const unquoted = await upgrade('--to', '1.36', '--set', 'kubernetes.version=[1.34]')
  t.match(unquoted, { code: 3, stderr: /error\[wrong-kind\]/ })
  t.notMatch(unquoted.stderr, 'newer than', 'the default version is not that of the profile')
})

t.test('of several profiles the message names the one that is too new', async (t) => {
  const { code, stderr } = await inProcess([
    ...['upgrade', 'ws2022-flannel-overlay', 'ws2025-flannel-overlay', '--to', '1.33'],
  ])
  t.equal(code, 2)
  for (const name of ['ws2022-flannel-overlay', 'ws2025-flannel-overlay'])
    t.match(stderr, new RegExp(`^error: ${name}: the profile has Kubernetes`, 'm'))
})

t.test('a profile whose fields only the user knows', async (t) => {
  const version = ['--set', 'kubernetes.version=1.34']
  t.match(await inProcess(['upgrade', 'ws2022-calico', '--to', '1.35', ...version]), {
    code: 0,
    stdout:
      /\nThe profile lacks join\.endpoint and join\.caCertHashes, so there is no bundle to compare\.\n/,
    stderr: '',
  })
})

t.test('the checksum of a download that is replaced', async (t) => {
  const digest = 'b'.repeat(64)
  const text = `${profile}artifacts:
  sha256:
    kubelet: ${digest} # of 1.33
    flanneld: ${digest}
`
  const file = path.join(t.testdir({ 'node.yaml': text }), 'node.yaml')
  const { code, stderr } = await inProcess(['upgrade', file, '--to', '1.37', '--write'])
  t.equal(code, 0, stderr)
  t.equal(
    readFileSync(file, 'utf8'),
    text.replace('1.33', '1.36').replace(/ +kubelet: .*\n/, ''),
    'goes; others stay',
  )
  const { stdout } = await inProcess([
    ...['upgrade', 'ws2022-flannel-overlay', '--set', 'kubernetes.version=1.36'],
    ...['--set', `artifacts.sha256.kubelet=${digest}`, '--to', '1.37', '--json'],
  ])
  t.strictSame(JSON.parse(stdout).steps[0].change.artifacts, { sha256: { kubelet: null } })
})

t.test('another format of a file that only a join reads needs no join', async (t) => {
  const { stdout } = await inProcess([
    ...['upgrade', 'ws2022-flannel-overlay', '--set', 'kubernetes.version=1.30'],
    ...['--to', '1.31', '--json'],
  ])
  const { need, changes } = JSON.parse(stdout).steps[0].bundle
  const paths = changes.map(({ path: file }: { path: string }) => file)
  t.ok(paths.includes('files/kubeadm/join.json'), 'its apiVersion')
  t.equal(need, 'install')
})

t.test('an image of a provider', async (t) => {
  const eks = ['ws2022-eks', '--set', 'network.eks.clusterName=prod']
  const { stdout } = await inProcess([
    ...['upgrade', ...eks, '--set', 'kubernetes.version=1.33', '--to', '1.34'],
  ])
  t.match(stdout, /\na node needs: a new machine|\na node needs: a new image or machine/)
  t.match(stdout, /\n1\. the control plane: 1\.34\.\d+\n/, 'kubeadm does not manage it')
  t.match(stdout, /\n3\. replace the machines\n/)
  t.match(await inProcess(['mirror', ...eks, '--json']), { stdout: /"files": \[\]/ })
})

t.test('several profiles', async (t) => {
  const of = (name: string, version: string) =>
    `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nname: ${name}\nkubernetes: { version: ${version} }\n`
  const nodes = t.testdir({
    'broken.yaml': of('broken', '1.36.1').replace('flannel-overlay', 'nothing'),
    'done.yaml': of('done', '1.37.1'),
    'old.yaml': of('old', '1.36.1'),
    'values.yaml': 'a: 1\n',
  })
  const at = (name: string) => path.join(nodes, name)
  const argv = ['upgrade', nodes, '--to', '1.37.1']
  const shown = await inProcess(argv)
  t.equal(shown.code, 3, 'the worst exit code')
  t.match(shown.stdout, /^\n\S+old\.yaml: STEP 1 of 1: nodes to 1\.37\.1\n/)
  t.match(shown.stdout, /winnode render \S+old\.yaml --out \.\/out\/old\n/, 'as render writes them')
  t.match(shown.stderr, /done\.yaml has Kubernetes 1\.37\.1: nothing to do/)
  t.match(shown.stderr, /values\.yaml: no apiVersion/)
  const { profiles: results } = JSON.parse((await inProcess([...argv, '--json', '--write'])).stdout)
  t.match(results, [
    { profile: at('broken.yaml'), exit: 3 },
    { profile: at('done.yaml'), exit: 0, steps: [], written: false },
    { profile: at('old.yaml'), exit: 0, steps: [{ to: '1.37.1' }], written: true },
  ])
  t.equal(readFileSync(at('old.yaml'), 'utf8'), of('old', '1.37.1'))
})

t.test('a version that a shared file sets', async (t) => {
  const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
  const site = `${head}extends: ws2022-flannel-overlay\nkubernetes:\n  version: '1.33' # of all pools\n`
  const pool = (name: string, more = '') => `${head}extends: ./site.yaml\nname: ${name}\n${more}`
  const digest = `artifacts: { sha256: { kubelet: ${'b'.repeat(64)} } }\n`
  const folderOf = (files: Readonly<Record<string, string>>) => {
    const folder = t.testdir({ '.winnode-root': '', 'site.yaml': site, ...files })
    const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
    const upgrade = (...names: readonly string[]) =>
      inProcess([
        ...['upgrade', ...names.map((name) => path.join(folder, name))],
        ...['--to', '1.36', '--as-of', tablesDate, '--write'],
      ])
    return { folder, read, upgrade }
  }
  const moved = site.replace('1.33', '1.36')

  t.test('is written once, with the own fields of each profile', async (t) => {
    const files = { 'a.yaml': pool('a', digest), 'b.yaml': pool('b') }
    const own = { 'c.yaml': pool('c', `kubernetes: { version: '1.36' }\n`) }
    const { folder, read, upgrade } = folderOf({ ...files, ...own })
    const { stdout } = await inProcess(['upgrade', folder, '--to', '1.36', '--as-of', tablesDate])
    t.match(stdout, /\+\+\+ b\/\S+site\.yaml\n[^]*\n\+ {2}version: '1\.36' # of all pools\n/)
    const joint = /winnode upgrade \S+a\.yaml \S+b\.yaml --to 1\.36 --write --as-of \S+\n/g
    t.equal(stdout.match(joint)?.length, 2, 'one command for all that share the file')
    const { code, stderr } = await upgrade('')
    t.equal(code, 0, stderr)
    t.equal(stderr.match(/wrote \S+site\.yaml/g)?.length, 1)
    t.equal(read('site.yaml'), moved)
    t.equal(read('a.yaml'), pool('a', 'artifacts: { sha256: {} }\n'))
    t.equal(read('b.yaml'), files['b.yaml'])
    t.equal(read('c.yaml'), own['c.yaml'])
  })

  t.test('profiles that are not named, or have no such step', async (t) => {
    const two = { 'a.yaml': pool('a'), 'b.yaml': pool('b') }
    const plain = folderOf(two)
    const { code, stderr, stdout } = await plain.upgrade('a.yaml')
    t.equal(code, 2)
    t.match(stdout, /winnode upgrade \S+a\.yaml \S+b\.yaml --to 1\.36 --write/)
    t.match(stderr, /site\.yaml sets kubernetes\.version for \S+b\.yaml too\n/)
    t.match(
      stderr,
      /to upgrade all: winnode upgrade \S+a\.yaml \S+b\.yaml --to 1\.36 --write --as-of/,
    )
    t.equal((await plain.upgrade('site.yaml')).code, 2, 'the file itself')
    t.equal(plain.read('site.yaml'), site)
    t.equal((await plain.upgrade('a.yaml', 'b.yaml')).code, 0)
    t.equal(plain.read('site.yaml'), moved)

    const calico = 'network: { cni: calico, mode: overlay }\n'
    const joined = `join: { endpoint: 'a:6443', caCertHashes: ['sha256:${'a'.repeat(64)}'] }\n`
    const unlike = folderOf({ ...two, 'b.yaml': pool('b', `${calico}${joined}`) })
    const apart = await unlike.upgrade('a.yaml', 'b.yaml')
    t.equal(apart.code, 3, 'b.yaml ends at 1.35')
    t.match(apart.stdout, /a\.yaml: STEP 1 of 1: nodes to 1\.35\./)
    t.match(apart.stdout, /b\.yaml: STEP 1 of 1: nodes to 1\.35\./)
    t.match(unlike.read('site.yaml'), '1.35', 'the version of both')
    writeFileSync(path.join(unlike.folder, 'site.yaml'), site)
    const argv = ['upgrade', path.join(unlike.folder, 'a.yaml'), '--to', '1.36', '--json']
    const alone = JSON.parse((await inProcess([...argv, '--as-of', tablesDate])).stdout)
    t.match(alone.steps, [{ to: /^1\.35\./ }], 'as the joint command writes it')
    t.equal(alone.steps.length, 1)
    t.match(alone.refused, { profile: /b\.yaml$/, to: /^1\.36\./ }, 'b.yaml holds it')
    writeFileSync(path.join(unlike.folder, 'site.yaml'), site.replace('1.33', '1.35'))
    const stuck = await unlike.upgrade('a.yaml', 'b.yaml')
    t.equal(stuck.code, 3)
    t.match(stuck.stderr, /a\.yaml: no step to 1\.36\.\d+ of \S+b\.yaml, which shares a file:\n/)
    t.match(unlike.read('site.yaml'), '1.35')

    const own = `kubernetes: { version: '1.35' }\n`
    const server = folderOf({
      'site.yaml': site.replace('version', 'apiServer').replace('1.33', '1.35'),
      'a.yaml': pool('a', own),
      'b.yaml': pool('b', `${own}${calico}${joined}`),
    })
    const shared = await server.upgrade('a.yaml', 'b.yaml')
    t.equal(shared.code, 3)
    t.match(shared.stderr, /a\.yaml: no step to 1\.36\.\d+ of \S+b\.yaml, which shares a file:\n/)
    t.equal(server.read('a.yaml'), pool('a', own), 'no step without that of the API server')
  })

  t.test('profiles beside the file and above it, without a marked root folder', async (t) => {
    // The repository of these tests is a root, too.
    const folder = mkdtempSync(path.join(tmpdir(), 'winnode-alone-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    mkdirSync(path.join(folder, 'base'))
    const above = pool('a').replace('./', './base/')
    for (const [name, text] of [
      ['base/site.yaml', site],
      ['base/b.yaml', pool('b')],
      ['a.yaml', above],
    ] as const)
      writeFileSync(path.join(folder, name), text)
    for (const [name, other] of [
      ['a.yaml', /site\.yaml sets kubernetes\.version for \S+b\.yaml too\n/],
      ['base/b.yaml', /site\.yaml sets kubernetes\.version for \S+a\.yaml too\n/],
    ] as const) {
      const argv = ['upgrade', path.join(folder, name), '--to', '1.36', '--as-of', tablesDate]
      const { code, stderr } = await inProcess([...argv, '--write'])
      t.equal(code, 2, name)
      t.match(stderr, other, name)
    }
  })

  t.test('another field of the own file, and one that is removed', async (t) => {
    const { upgrade, read } = folderOf({
      'a.yaml': pool('a'),
      'b.yaml': pool('b', `kubernetes: { apiServer: '1.34' }\n`),
      'c.yaml': pool('c', 'kubernetes: { apiServer: null }\n'),
    })
    const { code, stderr } = await upgrade('a.yaml', 'b.yaml', 'c.yaml')
    t.equal(code, 0, stderr)
    t.equal(read('site.yaml'), moved)
    t.match(read('b.yaml'), /apiServer: '1\.36'/)
    t.equal(read('c.yaml'), pool('c', 'kubernetes: { apiServer: null }\n'))
  })

  t.test('is written with all files, or not at all', async (t) => {
    const { folder, read, upgrade } = folderOf({ 'a.yaml': pool('a', digest), 'b.yaml': pool('b') })
    const lock = path.join(folder, '.site.yaml.winnode')
    writeFileSync(lock, 'of another run')
    const { code, stderr } = await upgrade('a.yaml', 'b.yaml')
    t.equal(code, 5)
    t.match(stderr, /nothing was written/)
    t.strictSame([read('a.yaml'), read('site.yaml')], [pool('a', digest), site])
    t.strictSame(readdirSync(folder).toSorted(), [
      ...['.site.yaml.winnode', '.winnode-root'],
      ...['a.yaml', 'b.yaml', 'site.yaml'],
    ])
  })
})

t.test('what it refuses', async (t) => {
  const folder = t.testdir({ 'bad.yaml': `${profile}kubernetes: {}\n`, 'node.yaml': profile })
  const rows: readonly (readonly [argv: string, code: number, said: RegExp])[] = [
    ['node.yaml', 2, /--to VERSION or --latest is missing/],
    ['node.yaml --to 1.99', 2, /winnode knows Kubernetes 1\.25 to 1\.\d+/],
    ['node.yaml --to new', 2, /--to new is not a version/],
    ['node.yaml --latest --write --set name=x', 2, /does not go with --layer and --set/],
    ['ws2022-antrea --latest --write', 2, /--write needs a profile in a file/],
    ['no.yaml --latest', 2, /no such file/],
    ['bad.yaml --latest', 3, /bad\.yaml/],
    [
      'ws2022-antrea --set network.mode=overlay --set kubernetes.version=1.36 --latest',
      3,
      /no step to 1\.37\.\d+:\nerror/,
    ],
  ]
  for (const [argv, code, said] of rows) {
    const words = argv
      .split(' ')
      .map((word) => (word.endsWith('.yaml') ? path.join(folder, word) : word))
    t.match(await inProcess(['upgrade', ...words]), { code, stderr: said }, argv)
  }
})
