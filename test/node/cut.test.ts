// Cut off at any moment, the node side goes on: what the next run leaves is what an undisturbed one leaves.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { writeBundle, type NodeDocument } from '../host/bundle.ts'
import {
  bring,
  install,
  joined,
  kubeadmElsewhere,
  loop,
  ownFolders,
  reset,
  succeeded,
  token,
} from '../host/course.ts'
import { bundleFiles, credentials, everyKind, type Way } from '../host/every-kind.ts'
import { differences, Host } from '../host/host.ts'
import { watched } from '../host/kills.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'
import { everything } from '../tools/everything.ts'

/** A run by hand, which is started again if it was aborted. */
interface Course {
  readonly name: string
  readonly way?: Way
  /** Begins with a node; else with a bare machine, to which a reset leads back. */
  readonly node?: true
  /** The contents of C:\\win-node after that. */
  readonly next?: NodeDocument
  readonly prepare: (host: Host) => Promise<unknown>
  readonly run: (host: Host) => Promise<unknown>
  /** Of so many moments, one is tried; `npm run test:all` goes on from each. */
  readonly each: number
  /** From each one of so many tried moments, a reset also leads back to the machine before. */
  readonly resets?: number
  /** So many moments there are at least. */
  readonly least?: number
}

const join = async (host: Host): Promise<unknown> =>
  succeeded(await host.run('Join', { Token: token }))

/** A pipeline that is restarted runs all of it, and kubeadm if the machine has not joined yet. */
const joinElsewhere = async (host: Host): Promise<void> => {
  const { result } = succeeded(await host.run('Join', { Phase: 'beforeJoin' }))
  if (result.message !== '') await kubeadmElsewhere(host)
  succeeded(await host.run('Join', { Phase: 'afterJoin' }))
}

const nothing = () => Promise.resolve()

const courses: readonly Course[] = [
  { name: 'Install', prepare: nothing, run: install, each: 100, resets: 2 },
  { name: 'Join', prepare: install, run: join, each: 60, resets: 2 },
  {
    name: 'Join without kubeadm',
    way: 'kubelet',
    prepare: install,
    run: join,
    each: 60,
    resets: 2,
  },
  {
    name: 'Join around a kubeadm that another program runs',
    prepare: install,
    run: joinElsewhere,
    each: 60,
    resets: 2,
  },
  {
    name: 'An upgrade',
    node: true,
    next: everyKind({ kubelet: 'v1.37.1', containerd: '2.3.6' }),
    prepare: nothing,
    run: async (host) => {
      await install(host)
      succeeded(await host.run('Join'))
    },
    each: 30,
  },
  { name: 'Reset', node: true, prepare: nothing, run: reset, each: 110 },
  {
    name: 'The loop, after a start of the machine with another address,',
    node: true,
    prepare: (host) => host.ps('Set-HostAddress -Address 192.0.2.77; Restart-HostMachine'),
    run: async (host) => succeeded(await loop(host)),
    each: 10,
  },
]

/** States between, from which a join is taken up: what happened to a machine that had joined. */
const between: Readonly<Record<string, string>> = {
  prepared: `Remove-Item -LiteralPath $conf, $pem
    Set-Content -LiteralPath $bootstrap -NoNewline -Value (Get-HostKubeconfig -Token $with.token)`,
  waiting: `Remove-Item -LiteralPath $conf, $pem
    Set-Content -LiteralPath $bootstrap -NoNewline -Value (Get-HostKubeconfig -Token $with.token)
    Set-HostCluster -Name Signs -Value wait
    Start-Service -Name kubelet; Start-Sleep -Seconds 3; Remove-Item -LiteralPath $bootstrap
    Set-HostCluster -Name Signs -Value approve`,
  stranded: 'Remove-Item -LiteralPath $pem',
  expired: `$from = & (Get-Module -Name host) { (Get-HostTime).AddDays(-9) }
    $text = [WinNodeHost.ApiServer]::Client('system:node:node-a', 'system:nodes', $from, $from.AddDays(8))
    Set-Content -LiteralPath $pem -Value $text -NoNewline`,
  broken: `Set-Content -LiteralPath $conf -Value (@(Get-Content -LiteralPath $conf) -notmatch 'certificate-authority')`,
}

const taken = Object.entries(between).map(([state, script]): Course => ({
  name: `Join of a machine that is ${state}`,
  node: true,
  prepare: async (host) => {
    await host.ps(
      `$conf, $bootstrap = 'kubelet', 'bootstrap-kubelet' | ForEach-Object { "C:\\etc\\kubernetes\\$_.conf" }
        $pem = 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem'
        Stop-Service -Name kubelet; Set-HostNode -Name node-a -Ready $false
        ${script}`,
      { token },
    )
  },
  run: join,
  // Where a request is waited for, there is little to do.
  each: state === 'waiting' ? 1 : 9,
  least: 1,
}))

/** Provided credentials work for one join, and no reset restores them. */
const spent = /^path C:\\etc\\kubernetes\\bootstrap-kubelet\.conf: \S+ -> nothing$/

/** What writes a machine, what joins it, and what replaces programs that run. */
const sample: readonly string[] = ['Install', 'Join', 'An upgrade']

for (const course of [...courses, ...taken]) {
  const plays = sample.includes(course.name) ? scenario : scenarioOfAll
  plays(`${course.name} is cut off before and after every change`, (t, stage) =>
    cutEverywhere(t, stage, course),
  )
}

let second: Host | undefined

/** One for all courses, as the first is: what runs for long runs fast. */
function secondHost(): Host {
  const made = Host.own()
  t.teardown(() => made.stop())
  return made
}

/** Keeps the machine as it is at each moment of a course, and goes on from each of them. */
async function cutEverywhere(
  t: Test,
  { host, artifacts, machine, machineAfter }: Stage,
  { way = 'kubeadm', node, next, prepare, run, each, resets = Infinity, least = 2 }: Course,
): Promise<void> {
  const document = everyKind(undefined, way)
  const drive = await (node ? machineAfter(joined, document) : machine(document))
  bring(drive, credentials[way])
  const before = await host.describe()
  await prepare(host)
  if (next) writeBundle(path.join(drive, 'win-node'), next, artifacts, bundleFiles)
  const folder = path.join(path.dirname(drive), 'kept')
  await host.ps(
    'Watch-HostBoundary -Folder $with.folder -Function $with.watched -Each $with.each',
    { folder, watched, each: everything ? 1 : each },
  )
  await run(host)
  const { kept, of } = await host.ps<{ kept: number; of: number }>('Complete-HostBoundary')
  const undisturbed = await host.describe()
  t.ok(kept >= (everything ? of : least), `${kept} moments of ${of}`)

  const goOn = async (worker: Host, moment: number): Promise<void> => {
    await worker.restore(path.join(folder, String(moment)))
    await run(worker)
    t.strictSame(differences(undisturbed, await worker.describe()), [], `moment ${moment}`)
  }
  const goBack = async (worker: Host, moment: number): Promise<void> => {
    const copy = path.join(folder, `${moment}-back`)
    // Access lists are extended attributes, which Node does not copy.
    await worker.ps('& /bin/cp -a $with.from $with.copy', {
      from: path.join(folder, String(moment)),
      copy,
    })
    await worker.restore(copy)
    await reset(worker)
    const left = differences(before, await worker.describe(), ownFolders)
    t.strictSame(
      left.filter((line) => !spent.test(line)),
      [],
      `moment ${moment}: a reset`,
    )
    rmSync(copy, { recursive: true })
  }
  const moments = Array.from({ length: kept }, (_, index) => index + 1)
  const work = async (worker: Host): Promise<void> => {
    for (let moment = moments.shift(); moment !== undefined; moment = moments.shift()) {
      try {
        if (moment % resets === 0) await goBack(worker, moment)
        await goOn(worker, moment)
      } catch (error) {
        t.fail(`moment ${moment}: ${String(error)}`)
      }
      rmSync(path.join(folder, String(moment)), { recursive: true })
    }
  }
  // A process uses one processor, and `npm run test:all` ends with this file. `npm test` has another one meanwhile.
  if (everything) second ??= secondHost()
  await Promise.all([host, ...(second ? [second] : [])].map(work))
}
