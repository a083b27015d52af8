// Every bundle that the project ships or keeps goes its whole way: from a bare machine to a Ready node, and back.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { needs, renderBundle } from './host/bundle.ts'
import { bring, install, succeeded, token } from './host/course.ts'
import { type Cluster, trouble } from './host/host.ts'
import { scenario } from './host/stage.ts'
import { root } from './tools/run.ts'

const builtIn = readdirSync(path.join(root, 'profiles'))
  .map((name) => name.replace(/\.yaml$/, ''))
  .filter((name) => name !== 'base')
const golden = readdirSync(path.join(root, 'test/golden'))
  .filter((name) => existsSync(path.join(root, 'test/golden', name, 'profile.yaml')))
  .map((name) => `test/golden/${name}/profile.yaml`)

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
    const paths = (needs(node, 'filePresent', 'paths') ?? []) as readonly string[]
    await install(host)
    t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 }, 'a second run: no call')

    if (profile.includes('antrea')) await host.ps('Set-HostFact -Name DaemonSet -Value $true')
    const version = String(needs(node, 'cluster', 'kubelet'))
    await host.ps(`Set-HostObject -Path /version -Value @{ gitVersion = 'v${version}' }`)
    bring(drive, paths)
    for (const [name, text] of Object.entries(ofTheCloud))
      bring(
        drive,
        paths.filter((file) => file.endsWith(`\\${name}`)),
        `${text}\n`,
      )
    succeeded(await host.run('Join', { Token: token }))
    t.match(await host.run('Join', { Token: token }), { code: 0, calls: [], writes: 0 })
    await host.restart()
    succeeded(await host.run('Install', { Phase: 'boot' }))
    const tested = await host.run('Test')
    t.equal(tested.result.exitCode, 0, trouble(tested.result))
    const reset = await host.run('Reset')
    t.equal(trouble(reset.result), '', 'all of it can be taken back')
    t.notOk(existsSync(path.join(drive, 'Program Files/containerd')), 'with folders on the way')
  })
}

/** What a metadata script writes on a machine of a cloud. */
const ofTheCloud = {
  'node-name': 'Pool-1a2b',
  'provider-id': 'aws:///eu-west-1a/i-0123456789abcdef0',
}

/** The API server of a profile that names one, or asks for one, is the simulated cluster's. */
function flagsOf(profile: string, { endpoint, digest, ca }: Cluster): readonly string[] {
  const where = ['--set', `join.endpoint=${endpoint}`]
  if (/antrea|-cloud/.test(profile)) return [...where, '--set', `join.caCertHashes=[${digest}]`]
  if (!profile.includes('without-kubeadm')) return []
  return [...where, '--set', `join.ca=${JSON.stringify(ca)}`]
}
