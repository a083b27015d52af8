// Every bundle that the project ships or keeps goes its whole way: from a bare machine to a Ready node, and back.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { checksOf, needs, renderBundle, type NodeDocument } from './host/bundle.ts'
import { succeeded, token } from './host/course.ts'
import { type Cluster, type Host, trouble } from './host/host.ts'
import { openShell, unreachable } from './host/shell.ts'
import { scriptOf, shellWalk } from './host/shell-walk.ts'
import { scenario } from './host/stage.ts'
import { walk } from './host/walk.ts'
import { root } from './tools/run.ts'

const builtIn = readdirSync(path.join(root, 'profiles'))
  .map((name) => name.replace(/\.yaml$/, ''))
  .filter((name) => name !== 'base')
const golden = readdirSync(path.join(root, 'test/golden'))
  .filter((name) => existsSync(path.join(root, 'test/golden', name, 'profile.yaml')))
  .map((name) => `test/golden/${name}/profile.yaml`)

/** Scripts of pages that a shell has worked through. */
const walked = new Set<string>()

for (const profile of [...builtIn, ...golden]) {
  scenario(`${profile} becomes a node`, async (t, { host, artifacts }) => {
    const drive = path.join(t.testdir({}), 'c')
    await host.fresh(drive)
    const cluster = flagsOf(profile, await host.cluster())
    const node = renderBundle(profile, path.join(drive, 'win-node'), artifacts, cluster)
    await host.fresh(drive, {
      Build: Number(needs(node, 'windowsBuild', 'build')),
      Revision: Number(needs(node, 'revisionAtLeast', 'revision') ?? 9999),
    })
    if (profile.includes('antrea')) await host.ps('Set-HostFact -Name DaemonSet -Value $true')
    const version = String(needs(node, 'cluster', 'kubelet'))
    await host.ps(`Set-HostObject -Path /version -Value @{ gitVersion = 'v${version}' }`)
    // The Linux nodes tunnel as this bundle wants.
    const Backend = needs(node, 'cluster', 'flannelBackend') ?? ''
    const VNI = needs(node, 'cluster', 'flannelVNI')
    const like = { Backend, Data: VNI === undefined ? 'null' : JSON.stringify({ VNI }) }
    await host.ps('$like = $with.like; Add-HostLinuxNode -Name linux-a @like', { like })
    await clusterSide(t, host, path.join(drive, 'win-node'))
    const lines = await walk(host, drive, filesOf(node))
    t.strictSame(
      lines.filter(({ code }) => code !== 0),
      [],
      'each line of its README ends with 0',
    )
    t.match(
      lines.map(({ text }) => text.replace(/\.ps1.*/, '')).join(' '),
      /\.\\Install-WinNode .*\.\\Join-WinNode \.\\Test-WinNode \.\\Test-WinNode \.\\Export-WinNodeReport$/,
    )
    t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 }, 'a second run: no call')
    t.match(await host.run('Join', { Token: token }), { code: 0, calls: [], writes: 0 })
    await host.restart()
    succeeded(await host.run('Install', { Phase: 'boot' }))
    // The kubelet says so within ten seconds.
    await host.ps('Start-Sleep -Seconds 15')
    const tested = await host.run('Test')
    t.equal(tested.result.exitCode, 0, trouble(tested.result))
    const reset = await host.run('Reset')
    t.equal(trouble(reset.result), '', 'all of it can be taken back')
    t.notOk(existsSync(path.join(drive, 'Program Files/containerd')), 'with folders on the way')
  })
}

/** The cluster's side, by a shell: what it makes is what the node is given. Each script once, as kubectl takes its time. */
async function clusterSide(t: Test, host: Host, bundle: string): Promise<void> {
  const page = readFileSync(path.join(bundle, 'cluster/README.md'), 'utf8')
  if (unreachable !== false || walked.has(scriptOf(page))) return
  walked.add(scriptOf(page))
  const shell = await openShell(host, bundle)
  await t.test('the cluster’s side', async (t) => shellWalk(t, shell))
}

/** What a metadata script writes on a machine of a cloud. */
const ofTheCloud = {
  'node-name': 'Pool-1a2b\n',
  'provider-id': 'aws:///eu-west-1a/i-0123456789abcdef0\n',
}

/** Files that must be there before Install, and before Join. */
function filesOf(node: NodeDocument) {
  const present = checksOf(node).filter(({ kind }) => kind === 'filePresent')
  const pathsOf = (first: boolean) =>
    present
      .filter(({ id }) => (id === 'mirror-files') === first)
      .flatMap((check) => check.with.map(({ value }) => value))
      .flat() as readonly string[]
  return { first: pathsOf(true), later: pathsOf(false), texts: ofTheCloud }
}

/** The API server of a profile that names one, or asks for one, is the simulated cluster's. */
function flagsOf(profile: string, { endpoint, digest, ca }: Cluster): readonly string[] {
  const where = ['--set', `join.endpoint=${endpoint}`]
  if (/antrea|-cloud/.test(profile)) return [...where, '--set', `join.caCertHashes=[${digest}]`]
  if (!profile.includes('without-kubeadm')) return []
  return [...where, '--set', `join.ca=${JSON.stringify(ca)}`]
}
