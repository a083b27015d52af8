// Every bundle that the project ships or keeps goes its whole way: from a bare machine to a Ready node, and back.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { diagnose } from '../../src/doctor/diagnose.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { succeeded, token } from '../host/course.ts'
import { type Host, trouble } from '../host/host.ts'
import { filesOf, goldenProfiles, isInstalled, renderedMachine } from '../host/rendered.ts'
import { openShell, unreachable } from '../host/shell.ts'
import { scriptOf, shellWalk } from '../host/shell-walk.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'
import { walk } from '../host/walk.ts'
import { root } from '../tools/run.ts'

const builtIn = readdirSync(path.join(root, 'profiles'))
  .map((name) => name.replace(/\.yaml$/, ''))
  .filter((name) => name !== 'base' && isInstalled(name))
/** Scripts of pages that a shell has worked through. */
const walked = new Set<string>()

const well = { found: [], unexplained: [], missing: [], skipped: 0 }

/** The others go the same way; calico.test.ts joins a node whose plugin runs in pods. */
const sample: readonly string[] = ['ws2022-flannel-l2bridge']

for (const profile of [...builtIn, ...goldenProfiles]) {
  const plays = sample.includes(profile) ? scenario : scenarioOfAll
  plays(`${profile} becomes a node`, async (t, { host, artifacts }) => {
    const drive = path.join(t.testdir({}), 'c')
    const { node } = await renderedMachine({ host, artifacts }, profile, drive)
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
    const report = readFileSync(path.join(drive, 'var/log/winnode/winnode-report.json'), 'utf8')
    t.match(diagnose(JSON.parse(report) as JsonObject), well, 'and its report has no trouble')
    t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 }, 'a second run: no call')
    t.match(await host.run('Join', { Token: token }), { code: 0, calls: [], writes: 0 })
    await host.restart()
    succeeded(await host.run('Install', { Phase: 'boot' }))
    // The kubelet says so within ten seconds; a DaemonSet takes longer to create its network.
    await host.ps('Start-Sleep -Seconds 60')
    const tested = await host.run('Test')
    t.equal(tested.result.exitCode, 0, trouble(tested.result))
    const reset = await host.run('Reset')
    t.equal(trouble(reset.result), '', 'all of it can be taken back')
    t.notOk(existsSync(path.join(drive, 'Program Files/containerd')), 'with folders on the way')
  })
}

/** cluster/README.md, run by a shell: its files are copied to the node. Each script once, because kubectl is slow. */
async function clusterSide(t: Test, host: Host, bundle: string): Promise<void> {
  const read = (name: string) => readFileSync(path.join(bundle, 'cluster', name), 'utf8')
  const texts = { page: read('README.md'), script: read('prepare.sh') }
  if (unreachable !== false || walked.has(scriptOf(texts))) return
  walked.add(scriptOf(texts))
  const shell = await openShell(host, bundle)
  await t.test('the steps of cluster/README.md', async (t) => shellWalk(t, shell))
}
